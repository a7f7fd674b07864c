"""A plan that a model fills, from the command line: the model is a script that answers over loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cwkc import driver
from cwkc.generate import asking
from cwkc.generate.journal import Journal
from cwkc.grammars import export
from tests.cwkc.cli.conftest import Command, Outcome
from tests.cwkc.generate.authors import GARBAGE, HALVES, REFUSAL, STALE, THANK, Authors, Script, fence, good, plan
from tests.cwkc.generate.authors import grade as graded
from tests.cwkc.generate.authors import task as written
from tests.cwkc.models.server import BUSY, CUT, Server, serving

LEAKING = HALVES[STALE].task.replace("Don't close anything.", "It is TK-301. Don't close anything.")
MISSPELLED = HALVES[STALE].task.replace("helpdesk.tickets", "helpdesk.tikets")
WEAK = 'cwk 1 grade escalate_stale_enterprise { check 1.0 "mails" called gmail.send_message }'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    return tmp_path


class Desk:
    """`generate` runs the command with the authors as its model."""

    def __init__(self, cwkc: Command, server: Server, authors: Authors) -> None:
        self._cwkc = cwkc
        self.server = server
        self.authors = authors

    def generate(self, *options: object, provider: str = "anthropic") -> Outcome:
        model = "anthropic:m" if provider == "anthropic" else f"openai:m@{self.server.url}/v1"
        return self._cwkc("generate", "plan.cwk", "-o", "out", "--model", model, "-j", 1, *options)

    def asked(self) -> list[tuple[str, str]]:
        return [(role, slot) for role, slot, _ in self.authors.asked]


@pytest.fixture
def at_desk(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> Any:
    @contextmanager
    def opened(script: Script, *slots: str) -> Iterator[Desk]:
        Path("plan.cwk").write_text(plan(*(slots or (STALE,))), encoding="utf-8")
        authors = Authors(script)
        with serving(authors) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            yield Desk(cwkc, server, authors)

    return opened


def document(path: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return read


def found_of(role: str, desk: Desk, number: int) -> list[dict[str, Any]]:
    """The faults that a role was told of in its request of that number."""
    last = [message for its, _, message in desk.authors.asked if its == role][number]
    faults: list[dict[str, Any]] = json.loads(last.partition("<faults>")[2].partition("</faults>")[0])
    return faults


# ---------------------------------------------------------------------------- what becomes of a slot


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_what_is_right_at_once_is_accepted(at_desk: Any, provider: str) -> None:
    with at_desk(good(STALE, THANK), STALE, THANK) as desk:
        shown = desk.generate("--price", "3,15,0.3", provider=provider)
        assert (shown.status, len(desk.asked())) == (0, 4)
    assert not driver.build(sorted(Path("out").glob("*.cwk"))).diagnostics
    assert sorted(path.name for path in Path("out").iterdir()) == sorted(
        [f"{STALE}.cwk", f"{STALE}.json", f"{THANK}.cwk", f"{THANK}.json", "journal.jsonl", "summary.json"]
    )
    origin = document(f"out/{STALE}.json")
    assert origin["attempts"] == {"writer": 1, "verifier": 1}
    assert origin["model"].startswith(provider)
    assert origin["slot"]["services"] == ["crm", "helpdesk", "gmail"]
    summary = document("out/summary.json")
    assert (summary["accepted"], summary["acceptance"], summary["completions"]) == (2, 1.0, 4)
    assert summary["tokens"] == {"read": 4000, "of_which_cached": 1600, "written": 400}
    assert summary["cost"] == pytest.approx((2400 * 3 + 1600 * 0.3 + 400 * 15) / 1e6)
    assert "4 completions, 4,000 tokens read, 400 written, $0.01" in shown.out
    assert "2 of 2 accepted" in shown.out


def test_faults_go_to_their_owner_until_they_are_mended(at_desk: Any) -> None:
    script = {
        ("writer", STALE): [fence(MISSPELLED), fence(LEAKING), written(STALE)],
        ("verifier", STALE): [fence(WEAK), graded(STALE)],
    }
    with at_desk(script) as desk:
        shown = desk.generate()
        assert shown.status == 0, shown.err
        names, leak, weak = found_of("writer", desk, 1), found_of("writer", desk, 2), found_of("verifier", desk, 1)
    assert {(each["code"], each["file"]) for each in names} == {("E204", "task.cwk")}
    assert [each["code"] for each in leak] == ["E411"]
    assert {each.get("code") for each in weak} >= {"E443"}
    assert {(each["file"], each["line"]) for each in weak} == {("task.cwk", 5), ("grade.cwk", 4)}
    origin = document(f"out/{STALE}.json")
    assert origin["attempts"] == {"writer": 3, "verifier": 2}
    assert origin["faults_on_the_way"]["writer"] == {"E204": 1, "E411": 1, "W405": 1}


def test_what_is_never_right_is_set_aside(at_desk: Any) -> None:
    script = {**good(THANK), ("writer", STALE): [written(STALE)], ("verifier", STALE): [fence(WEAK)]}
    with at_desk(script, STALE, THANK) as desk:
        shown = desk.generate("--attempts", 2)
        assert shown.status == 1
        assert desk.asked().count(("verifier", STALE)) == 2
        assert desk.generate("--attempts", 2).status == 1
        assert len(desk.asked()) == 5
    assert not Path(f"out/{STALE}.cwk").exists()
    aside = document(f"out/set-aside/{STALE}.json")
    assert "E443" in {each["code"] for each in aside["faults"]}
    assert "called gmail.send_message" in Path(f"out/set-aside/{STALE}.txt").read_text(encoding="utf-8")
    assert document("out/summary.json")["acceptance"] == 0.5
    assert f"{STALE}  set aside" in shown.out
    assert not driver.build(sorted(Path("out").rglob("*.cwk"))).diagnostics


def test_more_attempts_go_on_where_fewer_ended(at_desk: Any) -> None:
    script = {("writer", STALE): [written(STALE)], ("verifier", STALE): [fence(WEAK), graded(STALE)]}
    with at_desk(script) as desk:
        assert desk.generate("--attempts", 1).status == 1
        assert desk.generate("--attempts", 2).status == 0
        assert len(desk.asked()) == 3
    assert Path(f"out/{STALE}.cwk").is_file()
    assert not list(Path("out/set-aside").iterdir())


def test_another_model_is_asked_for_its_own_answers(at_desk: Any) -> None:
    script = {("writer", STALE): [written(STALE)], ("verifier", STALE): [fence(WEAK), graded(STALE)]}
    with at_desk(script) as desk:
        assert desk.generate("--attempts", 1).status == 1
        assert desk.generate("--attempts", 1, provider="openai").status == 0
        assert len(desk.asked()) == 4
    assert document(f"out/{STALE}.json")["model"].startswith("openai")


@pytest.mark.parametrize(("answer", "name"), [(GARBAGE, "no-file"), (REFUSAL, "refused")])
def test_an_answer_without_a_file_is_an_attempt(at_desk: Any, answer: Any, name: str) -> None:
    script = {("writer", STALE): [answer, written(STALE)], ("verifier", STALE): [answer, graded(STALE)]}
    with at_desk(script) as desk:
        assert desk.generate().status == 0
        assert [each["name"] for each in found_of("writer", desk, 1)] == [name]
    faults = document(f"out/{STALE}.json")["faults_on_the_way"]
    assert faults == {"writer": {name: 1}, "verifier": {name: 1}}


def test_a_busy_server_is_asked_again(at_desk: Any) -> None:
    script = {("writer", STALE): [BUSY, written(STALE)], ("verifier", STALE): [graded(STALE)]}
    with at_desk(script) as desk:
        assert desk.generate().status == 0
    assert document(f"out/{STALE}.json")["attempts"] == {"writer": 1, "verifier": 1}


def test_a_cut_connection_leaves_a_slot_open(at_desk: Any) -> None:
    script = {**good(THANK), ("writer", STALE): [written(STALE)], ("verifier", STALE): [CUT] * 3 + [graded(STALE)]}
    with at_desk(script, STALE, THANK) as desk:
        shown = desk.generate()
        assert shown.status == 1
        assert f"left open: {STALE}: APIConnectionError" in shown.err
        assert Path(f"out/{THANK}.cwk").is_file()
        assert desk.generate().status == 0
        assert desk.asked().count(("writer", STALE)) == 1


def test_the_verifier_sees_no_thoughts_of_the_writer(at_desk: Any) -> None:
    commented = HALVES[STALE].task.replace("tools crm", "# The answer is TK-301.\n  tools crm")
    script = {("writer", STALE): [fence(commented)], ("verifier", STALE): [graded(STALE)]}
    with at_desk(script) as desk:
        assert desk.generate().status == 0
        shown = next(message for role, _, message in desk.authors.asked if role == "verifier")
    assert "Label printer offline" in shown
    assert "The answer is" not in shown


def test_a_twin_of_a_known_task_goes_back_to_the_writer(at_desk: Any) -> None:
    Path("known.cwk").write_text(
        HALVES[STALE].task.replace("Halden Freight", "Nordlicht Spedition") + HALVES[STALE].grade.removeprefix("cwk 1"),
        encoding="utf-8",
    )
    with at_desk(good(STALE)) as desk:
        assert desk.generate("--against", "known.cwk", "--attempts", 2).status == 1
        (fault,) = found_of("writer", desk, 1)
        assert (fault["name"], STALE in fault["message"]) == ("near-duplicate", True)
        assert ("verifier", STALE) not in desk.asked()


def test_an_attack_that_earns_everything_goes_back_to_the_verifier(at_desk: Any) -> None:
    guess = {"to": "ana@halden.test", "subject": "Thanks", "body": "Thank you for TK-10."}
    run = json.dumps({"calls": [{"tool": "gmail_send_message", "arguments": guess}], "answer": "Done."})
    script = {**good(THANK), ("attacker", ""): [run, GARBAGE]}
    with at_desk(script, THANK) as desk:
        assert desk.generate("--attack").status == 0
        assert [each["name"] for each in found_of("verifier", desk, 1)] == ["blind-run-earns"]
        assert "ana@halden.test" not in next(message for role, _, message in desk.authors.asked if role == "attacker")


# ---------------------------------------------------------------------------- journal, budget, kills


def test_a_budget_stops_before_it_is_exceeded_further(at_desk: Any) -> None:
    with at_desk(good(STALE, THANK), STALE, THANK) as desk:
        shown = desk.generate("--token-budget", 2000)
        assert (shown.status, len(desk.asked())) == (1, 2)
        assert f"left open: {THANK}: the budget of 2,000 tokens is spent" in shown.err
        shown = desk.generate("--money-budget", "0.001", "--price", "3,15")
        assert (shown.status, len(desk.asked())) == (1, 2)
        assert "the budget of $0.00 is spent" in shown.err
        assert desk.generate().status == 0
        assert len(desk.asked()) == 4


def test_no_budget_is_kept_with_a_server_that_does_not_count(at_desk: Any, cwkc: Command) -> None:
    with at_desk(good(STALE)) as desk:
        uncounted = json.dumps({"content": [{"type": "text", "text": written(STALE)}]}).encode()
        desk.authors.script["writer", STALE] = [uncounted]
        shown = desk.generate("--token-budget", 2000)
    assert shown.status == 1
    assert "the server does not say how many tokens" in shown.err


ADD = Journal.add


class Killed(BaseException):
    """The end of the process, for as much of it as a test can see."""


LONG: Script = {
    **good(THANK),
    ("writer", STALE): [fence(LEAKING), GARBAGE, written(STALE)],
    ("verifier", STALE): [fence(WEAK), graded(STALE)],
    ("attacker", ""): [GARBAGE],
}


def killed_after_a_line(self: Journal, kind: str, key: str, **words: Any) -> None:
    ADD(self, kind, key, **words)
    if kind != "format":
        raise Killed


def killed_before_it_is_told(self: Journal, kind: str, key: str, **words: Any) -> None:
    """When the files of a task are there, and the journal does not know it."""
    if kind == "accepted" and not Path(f"killed_{key}").exists():
        Path(f"killed_{key}").touch()
        raise Killed
    ADD(self, kind, key, **words)


def until_done(desk: Desk, kill: Any, torn: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[Outcome, int]:
    """What came of it in the end, and how often it was killed before. No file of a task is ever half written."""
    for kills in range(100):
        monkeypatch.setattr(Journal, "add", kill)
        try:
            return desk.generate("--attack"), kills
        except Killed:
            monkeypatch.setattr(Journal, "add", ADD)
        with Path("out/journal.jsonl").open("ab") as file:
            file.write(torn)
        assert not any(driver.build([path]).diagnostics for path in Path("out").glob("*.cwk"))
    raise AssertionError("it never came to an end")


@pytest.mark.parametrize(
    ("kill", "torn", "points"),
    [
        (killed_after_a_line, b"", 9),
        (killed_after_a_line, b'{"kind": "completion", "key": "torn', 9),
        (killed_before_it_is_told, b"", 1),
    ],
    ids=["after a line", "in a line", "before a line"],
)
def test_after_a_kill_the_same_command_goes_on(
    at_desk: Any, kill: Any, torn: bytes, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_desk(LONG) as desk:
        outcome, kills = until_done(desk, kill, torn, monkeypatch)
        assert (outcome.status, kills) == (0, points)
        assert [role for role, _ in desk.asked()] == ["writer", "verifier", "verifier", "writer", "writer", "attacker"]
    assert document(f"out/{STALE}.json")["attempts"] == {"writer": 3, "verifier": 2}
    assert document("out/summary.json")["completions"] == 6


def test_after_sigkill_no_answer_is_paid_for_twice(at_desk: Any, folder: Path) -> None:
    with at_desk(LONG, STALE, THANK) as desk:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        command = [
            sys.executable,
            "-m",
            "cwkc",
            "generate",
            "plan.cwk",
            "-o",
            "out",
            "--model",
            "anthropic:m",
            "-j",
            "1",
        ]
        process = subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        assert process.stderr is not None
        assert "accepted" in process.stderr.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()
        answered = [line["role"] for line in Journal.read(Path("out/journal.jsonl")).all("completion")]
        assert 5 <= len(answered) <= len(desk.asked())
        assert desk.generate().status == 0
        assert len(desk.asked()) - 7 in (0, 1)  # the one that was under way when it was killed
    assert not driver.build(sorted(Path("out").glob("*.cwk"))).diagnostics


# ---------------------------------------------------------------------------- batches


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "POLL", 0.001)


def test_batches_hold_a_round_of_all_slots(at_desk: Any, at_once: None) -> None:
    with at_desk(LONG, STALE, THANK) as desk:
        shown = desk.generate("--batch")
        assert shown.status == 0, shown.err
        rounds = [len(lines) for lines in desk.server.batches.values()]
        assert all("cache_control" in sent["system"][0] for _, sent in desk.server.asked)
    assert rounds == [2, 2, 1, 1, 1]
    assert document(f"out/{STALE}.json")["attempts"] == {"writer": 3, "verifier": 2}


def test_what_a_batch_cannot_answer_is_asked_for_again_by_the_next_run(at_desk: Any, at_once: None) -> None:
    script = {**good(THANK), ("writer", STALE): [CUT, BUSY, written(STALE)], ("verifier", STALE): [graded(STALE)]}
    with at_desk(script, STALE, THANK) as desk:
        first, second, third = desk.generate("--batch"), desk.generate("--batch"), desk.generate("--batch")
        assert (first.status, second.status, third.status) == (1, 1, 0)
        assert "the batch ended before it was answered" in first.err
        assert "the batch could not answer it: overloaded" in second.err
        assert desk.asked().count(("writer", THANK)) == 1


@pytest.mark.parametrize("kind", ["batch", "completion"])
def test_a_batch_is_fetched_after_a_kill(
    at_desk: Any, at_once: None, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(self: Journal, its: str, key: str, **words: Any) -> None:
        if its == "completion" and kind == "completion":
            raise Killed
        ADD(self, its, key, **words)
        if its == kind:
            raise Killed

    with at_desk(good(STALE, THANK), STALE, THANK) as desk:
        monkeypatch.setattr(Journal, "add", killed)
        with pytest.raises(Killed):
            desk.generate("--batch")
        monkeypatch.setattr(Journal, "add", ADD)
        assert desk.generate("--batch").status == 0
        assert len(desk.server.batches) == 2
        assert len(desk.asked()) == 4


def test_a_batch_that_is_kept_no_longer_is_begun_anew(
    at_desk: Any, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(self: Journal, kind: str, key: str, **words: Any) -> None:
        ADD(self, kind, key, **words)
        if kind == "batch":
            raise Killed

    with at_desk(good(STALE)) as desk:
        monkeypatch.setattr(Journal, "add", killed)
        with pytest.raises(Killed):
            desk.generate("--batch")
        monkeypatch.setattr(Journal, "add", ADD)
        desk.server.batches["batch_0"] = desk.server.batches.pop("batch_1")
        desk.server.batches["other"] = []
        assert desk.generate("--batch").status == 0


# ---------------------------------------------------------------------------- looking, and wrong use


def test_a_dry_run_prints_what_would_be_asked_next(at_desk: Any) -> None:
    script = {("writer", STALE): [written(STALE)], ("verifier", STALE): [CUT]}
    with at_desk(script) as desk:
        first = desk.generate("--dry-run")
        assert not Path("out").exists()
        desk.generate()
        before = Path("out/journal.jsonl").read_bytes()
        shown = desk.generate("--dry-run")
        assert Path("out/journal.jsonl").read_bytes() == before
        sent = desk.server.asked[0][1]
    assert f"=== {STALE}: writer, attempt 1, system\n{sent['system'][0]['text']}\n" in first.out
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert f"=== {STALE}: writer, attempt 1, user\n{sent['messages'][0]['content']}\n" in first.out
    assert f"=== {STALE}: verifier, attempt 1, user\n" in shown.out


@pytest.mark.parametrize(("server", "place"), [("vllm", "structured_outputs"), ("llama.cpp", "grammar")])
def test_the_grammar_is_sent_with_what_is_to_be_a_file(at_desk: Any, server: str, place: str) -> None:
    with at_desk({**good(THANK), ("attacker", ""): [GARBAGE]}, THANK) as desk:
        assert desk.generate("--grammar", server, "--attack", provider="openai").status == 0
        sent = [document for _, document in desk.server.asked]
    assert [place in each for each in sent] == [True, True, False]
    text = sent[0][place]["grammar"] if server == "vllm" else sent[0][place]
    assert text == export("gbnf")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--grammar", "vllm"], "takes no grammar for vllm"),
        (["--grammar", "vllm", "--batch"], "do not go together"),
        (["--model", "openai:m@http://127.0.0.1:1/v1", "--batch"], "takes no batches"),
        (["--price", "free"], "is no price"),
        (["--money-budget", "1"], "goes with `--price`"),
        (["--model", "claude"], "names no model"),
    ],
)
def test_wrong_use_is_told(at_desk: Any, options: list[str], said: str) -> None:
    with at_desk(good(STALE)) as desk:
        shown = desk.generate(*options)
    assert shown.status == 2
    assert said in shown.err
    assert not Path("out").exists()


def test_a_folder_of_others_is_left_alone(at_desk: Any) -> None:
    Path("out").mkdir()
    Path(f"out/{STALE}.cwk").write_text("mine", encoding="utf-8")
    with at_desk(good(STALE)) as desk:
        shown = desk.generate()
    assert (shown.status, Path(f"out/{STALE}.cwk").read_text(encoding="utf-8")) == (2, "mine")
    assert "did not write" in shown.err


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("cwk 1\nplan p {}", 2, "has no slots"),
        ('cwk 1\nplan p { slot a { scenario: "x" } }', 2, "names no `services`"),
        (
            "cwk 1\nuse crm\nplan p { slot a { services: [crm] } }\nplan q { slot A { services: [crm] } }",
            2,
            "two slots",
        ),
        ("cwk 1\nuse crm\nplan p { slot summary { services: [crm] } }", 2, "is kept for"),
        ("cwk 1\nplan p { slot a { services: [crm] } }", 1, "E203"),
    ],
)
def test_a_plan_that_cannot_be_filled_is_told(cwkc: Command, text: str, status: int, said: str) -> None:
    Path("plan.cwk").write_text(text, encoding="utf-8")
    shown = cwkc("generate", "plan.cwk", "-o", "out", "--dry-run")
    assert (shown.status, said in shown.err) == (status, True)
