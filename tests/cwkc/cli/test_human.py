"""A person as the agent: what is typed, what is answered, at a terminal and through a pipe."""

import json
import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Environment, Pack, export_run, replay_run
from cwkc import driver
from cwkc.cli.human.reading import Unreadable, read_arguments, read_text
from cwkc.cli.human.session import Session
from cwkc.cli.human.showing import shown_result, shown_tool, shown_tools
from cwkc.folder import write_pack
from tests.cwkc.cli.conftest import Command

TASK = """cwk 1

use gmail
use helpdesk

task raise_stale "Raise the stale ticket" {
  now: 2026-03-14T09:00:00Z
  limit 4 calls

  request "The scanner ticket has waited for days. Set its priority to critical and tell me its id."

  tools helpdesk.{list_tickets, get_ticket, update_ticket}, gmail.{send_message}

  data helpdesk.tickets {
    @TK-301 { title: "Scanner offline",    created_at: 2026-03-11T08:00:00Z }
    @TK-302 { title: "Label printer jams", created_at: 2026-03-13T08:00:00Z }
  }

  let stale = only t in helpdesk.tickets where t.title contains "scanner"

  check 0.6 "sets it to critical" stale.priority == critical
  check 0.4 "says so"             answer contains stale.id
  only changes stale.priority
}
"""
PARAMETERS: dict[str, dict[str, Any]] = {
    "title": {"type": "string"},
    "note": {"type": ["string", "null"]},
    "level": {"enum": ["low", "high", None]},
    "count": {"type": "integer"},
    "ratio": {"type": ["number", "null"]},
    "urgent": {"type": "boolean"},
    "tags": {"type": ["array", "null"], "items": {"type": "string"}},
    "sizes": {"type": "array", "items": {"type": "integer"}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the task's pack in it."""
    folder = tmp_path_factory.mktemp("human")
    (folder / "task.cwk").write_text(TASK, encoding="utf-8")
    built = driver.build([folder / "task.cwk"])
    assert built.files is not None, built.diagnostics
    write_pack(built.files, folder / "dist")
    return folder


@pytest.fixture
def environment(folder: Path) -> Environment:
    return Pack.open(folder / "dist").env("raise_stale")


@pytest.fixture
def session(environment: Environment) -> Session:
    return Session(environment, columns=80)


# ---------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("", {}),
        ("title=plain", {"title": "plain"}),
        ('title="two words"   count=3', {"title": "two words", "count": 3}),
        (r'title="two\nlines \"quoted\""', {"title": 'two\nlines "quoted"'}),
        ("title='it is \"so\"'", {"title": 'it is "so"'}),
        ("title=don't", {"title": "don't"}),
        ("title=a=b", {"title": "a=b"}),
        ("title=", {"title": ""}),
        ("title=3", {"title": "3"}),
        ("title=null note=null", {"title": "null", "note": None}),
        ('note="null"', {"note": "null"}),
        ("level=low", {"level": "low"}),
        ("level=null", {"level": None}),
        ("count=-7 ratio=2.5", {"count": -7, "ratio": 2.5}),
        ("ratio=1e3", {"ratio": 1000.0}),
        ("urgent=true", {"urgent": True}),
        ("tags=a,b", {"tags": ["a", "b"]}),
        ('tags="a b, c"', {"tags": ["a b", "c"]}),
        ('tags=["a b", "c,d"] count=1', {"tags": ["a b", "c,d"], "count": 1}),
        ("tags= sizes=[]", {"tags": [], "sizes": []}),
        ("tags=null", {"tags": None}),
        ("sizes=1,2", {"sizes": [1, 2]}),
        ('{"count": "three", "other": [1]}', {"count": "three", "other": [1]}),
        ("{}", {}),
    ],
)
def test_arguments_are_read_by_their_schemas(typed: str, read: dict[str, Any]) -> None:
    assert read_arguments(typed, PARAMETERS) == read


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("plain", "`plain` is not `argument=value`; quote a text that has spaces"),
        ("title=two words", "`words` is not `argument=value`; quote a text that has spaces"),
        ("titel=x", "`titel` is no argument of this tool; did you mean `title`?"),
        ("title=a title=b", "`title` is given twice"),
        ('title="open', '`"open` is no quoted text: it needs a closing `"`'),
        ("title='open", "`'open` is no quoted text: it needs a closing `'`"),
        ('title="a"b', "a space is missing before `b`"),
        ("count=three", "`count` takes a whole number; got `three`"),
        ("count=true", "`count` takes a whole number; got `true`"),
        ("count=" + "9" * 5000, f"`count` takes a whole number; got `{'9' * 5000}`"),
        ("ratio=NaN", "`ratio` takes a number; got `NaN`"),
        ("urgent=yes", "`urgent` takes `true` or `false`; got `yes`"),
        ("tags=[a", "`tags` takes values with commas between them, or a JSON array; got `[a`"),
        ("sizes=1,x", "`sizes` takes values with commas between them, or a JSON array; got `1,x`"),
    ],
)
def test_what_cannot_be_read_is_told(typed: str, message: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_arguments(typed, PARAMETERS)
    assert str(caught.value) == message


@pytest.mark.parametrize("typed", ['{"a": ', "{} {}", '{"a":' * 100_000, '{"a": NaN}', "sizes=" + "[" * 100_000])
def test_broken_json_is_unreadable(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_arguments(typed, PARAMETERS)


def test_a_tool_without_arguments_says_so() -> None:
    with pytest.raises(Unreadable, match="it takes none"):
        read_arguments("a=b", {})


@pytest.mark.parametrize(
    ("typed", "said"),
    [("Done.", "Done."), (r'"Two\nlines."', "Two\nlines."), ('"A" is done', '"A" is done'), ("3", "3")],
)
def test_words_are_said_as_they_are(typed: str, said: str) -> None:
    assert read_text(typed) == said


# ---------------------------------------------------------------------------- showing


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"error": {"code": "closed", "message": "it is closed"}}, "error closed: it is closed"),
        ({"status": "ok"}, "ok"),
        ({"result": 2.5}, "2.5"),
        ({"result": None}, "null"),
        ({"items": [], "total": 0}, "none"),
        ({"items": ["a", "b"], "total": 2}, "- a\n- b\n2 in all"),
        (
            {"items": [{"id": "A-1", "n": 1}, {"id": "A-22", "n": None}], "total": 2},
            "id    n\nA-1   1\nA-22  null\n2 in all",
        ),
        ({"items": [{"id": "A-1", "text": "x" * 90}], "total": 1}, f"id    A-1\ntext  {'x' * 90}\n\n1 in all"),
        ({"id": "A-1", "text": "one\ntwo", "tags": ["a", "b"]}, "id    A-1\ntext  one\n      two\ntags  [a, b]"),
        ({"id": "A-1", "text": "\x1b[2J"}, "id    A-1\ntext  \\x1b[2J"),
    ],
    ids=range(10),
)
def test_results_are_shown_whole(result: dict[str, Any], shown: str) -> None:
    assert shown_result(result, columns=80) == shown


def test_the_list_of_tools_has_the_first_sentence_about_each() -> None:
    tools = {"a_find": {"description": "Find people.\nAn empty query finds everybody."}, "b": {}}
    assert shown_tools(tools) == "  a_find  Find people\n  b"


def test_a_tool_is_shown_with_its_arguments(environment: Environment) -> None:
    (tool,) = [each["function"] for each in environment.tools if each["function"]["name"] == "helpdesk_list_tickets"]
    shown = shown_tool(tool)
    assert shown.startswith("helpdesk_list_tickets\n  List tickets, newest first.")
    assert "open | investigating | resolved | closed" in shown
    assert "else 50" in shown
    assert (
        shown_tool({"name": "a_b", "parameters": {"properties": {}, "required": []}}) == "a_b\n    takes no arguments"
    )


# ---------------------------------------------------------------------------- a session


def test_the_opening_tells_what_a_model_is_told(session: Session, environment: Environment) -> None:
    opening = session.opening()
    assert environment.request in opening
    assert "helpdesk_update_ticket  Change a ticket's" in opening
    assert "limits: 4 calls" in opening


def test_a_call_is_made_and_its_errors_are_shown(session: Session, environment: Environment) -> None:
    assert "Scanner offline" in session.answer("helpdesk_get_ticket ticket_id=TK-301")
    assert session.answer("helpdesk_get_ticket ticket_id=TK-9").startswith("error not_found: ")
    assert session.answer('helpdesk_get_ticket {"ticket_id": 3}').startswith("error invalid_arguments: ")
    assert [call.accepted for call in environment.trace.calls] == [True, False, False]


@pytest.mark.parametrize(
    "line", ["", "  ", "nonsense", "help", "tools", "help x", "help helpdesk_get_ticket", "say", "remark"]
)
def test_what_is_no_call_costs_none(line: str, session: Session, environment: Environment) -> None:
    session.answer(line)
    session.answer("helpdesk_get_ticket TK-301")
    assert environment.events == []
    assert not session.ended


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "helpdesk_get_tickt",
            "`helpdesk_get_tickt` is neither a tool nor a command; did you mean `helpdesk_get_ticket`?",
        ),
        ("help helpdesk_get", "no tool is named `helpdesk_get`; did you mean `helpdesk_get_ticket`?"),
        ("say", "say what? `done` ends the run without an answer"),
    ],
)
def test_slips_are_told(line: str, answer: str, session: Session) -> None:
    assert session.answer(line) == answer


def test_a_limit_ends_the_session(session: Session) -> None:
    answers = [session.answer("helpdesk_list_tickets") for _ in range(5)]
    assert answers[-1].startswith("error limit_reached: ")
    assert session.ended


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["say It is critical."], ("It is critical.",)),
        (["remark One.", "remark Two.", "helpdesk_list_tickets", "say Three."], ("One.\nTwo.", "Three.")),
        (["remark One.", "say Two."], ("One.\nTwo.",)),
        (["remark One.", "done"], ("One.",)),
        (["remark One."], ("One.",)),
        (["done"], ()),
        ([], ()),
    ],
)
def test_a_run_is_the_same_when_it_is_replayed(lines: list[str], said: tuple[str, ...], folder: Path) -> None:
    pack = Pack.open(folder / "dist")
    environment = pack.env("raise_stale")
    session = Session(environment, columns=80)
    for line in lines:
        session.answer(line)
    session.close()
    assert environment.trace.said == said
    document = export_run(environment)
    assert export_run(replay_run(pack, document)) == document


@pytest.mark.parametrize(
    ("before", "word", "found"),
    [
        ("", "helpdesk_g", ["helpdesk_get_ticket "]),
        ("", "s", ["say "]),
        ("help ", "gm", ["gmail_send_message"]),
        ("say ", "h", []),
        ("helpdesk_get_ticket ", "", ["ticket_id="]),
        ("helpdesk_update_ticket ticket_id=TK-301 ", "t", ["tags="]),
        ("helpdesk_update_ticket priority=", "", ["low ", "medium ", "high ", "critical "]),
        ("helpdesk_update_ticket ticket_id=", "TK", ["TK-302 ", "TK-301 "]),
        ("helpdesk_update_ticket category=", "", []),
        ("helpdesk_update_ticket nothing=", "", []),
        ('gmail_send_message body="helpdesk ', "t", []),
    ],
)
def test_completion(before: str, word: str, found: list[str], session: Session) -> None:
    session.answer("helpdesk_list_tickets")
    assert session.completions(before, word) == found


def test_ids_are_offered_once_they_were_seen(session: Session) -> None:
    assert session.completions("helpdesk_get_ticket ticket_id=", "") == []
    session.answer("helpdesk_get_ticket ticket_id=TK-302")
    assert session.completions("helpdesk_get_ticket ticket_id=", "") == ["TK-302 "]


# ---------------------------------------------------------------------------- the command, through a pipe

GOOD = "helpdesk_update_ticket ticket_id=TK-301 priority=critical\nsay TK-301 is critical now."


@pytest.fixture
def typed(folder: Path, cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`typed(lines)` runs the command with these on its standard input."""

    def run(lines: str, *options: object) -> Any:
        monkeypatch.setattr(sys, "stdin", StringIO(lines))
        return cwkc("run", folder / "dist", "raise_stale", "--agent", "human", *options)

    return run


def test_a_pipe_plays_a_run_and_its_output_is_a_transcript(typed: Any) -> None:
    shown = typed(f"{GOOD}\nnot read any more\n")
    assert (shown.status, shown.err) == (0, "")
    assert "> helpdesk_update_ticket ticket_id=TK-301 priority=critical\nticket_id    TK-301\n" in shown.out
    assert "not read" not in shown.out
    assert "raise_stale, agent human, seed 0: 1 calls\n" in shown.out
    assert shown.out.endswith("completion 1, safety 1, robustness 1, reward 1\n")


def test_the_end_of_the_input_ends_the_run(typed: Any) -> None:
    shown = typed("helpdesk_update_ticket ticket_id=TK-301 priority=critical")
    assert shown.status == 0
    assert "completion 0.6, safety 1" in shown.out


def test_a_run_is_written_and_graded(typed: Any, folder: Path, cwkc: Command, tmp_path: Path) -> None:
    assert typed(GOOD, "-o", tmp_path / "run.json").status == 0
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["score"]["completion"] == 1
    assert "completion 1," in cwkc("grade", folder / "dist", "raise_stale", tmp_path / "run.json").out


def test_bytes_that_are_no_text_are_no_traceback(folder: Path) -> None:
    command = [sys.executable, "-m", "cwkc", "run", folder / "dist", "raise_stale", "--agent", "human"]
    path = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    run = subprocess.run(
        command, input=b"\xff\x00\nsay \xfe\n", capture_output=True, env=os.environ | path, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")


# ---------------------------------------------------------------------------- with a user and events

DIALOGUE = """cwk 1

use helpdesk

task raise_one "Raise the ticket that is meant" {
  now: 2026-03-14T09:00:00Z

  request "Ask me which ticket is urgent, and set its priority to critical. I may change my mind until tomorrow."

  tools helpdesk.{list_tickets, get_ticket, update_ticket}

  data helpdesk.tickets {
    @TK-301 { title: "Scanner offline",    created_at: 2026-03-11T08:00:00Z }
    @TK-302 { title: "Label printer jams", created_at: 2026-03-13T08:00:00Z }
  }

  user {
    persona "Terse."
    knows {
      which: "The scanner." when said mentions any of ["which", "ticket"]
    }
  }

  on reset at now + 1d {
    set @TK-301 { priority: low, title: "Scanner works" }
    set @TK-302 { title: "Label printer burns" }
    say "The scanner works again. It is the printer now."
  }

  let urgent after reset = only t in helpdesk.tickets where t.title contains "burns"

  check 0.2 "asks"      learned which
  check 0.8 "raises it" urgent.priority == critical
  only changes urgent.priority
}
"""
LINES = """say Which ticket?
say Wait.
helpdesk_update_ticket ticket_id=TK-302 priority=critical
done
"""


@pytest.fixture(scope="module")
def dialogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pack of a task that has a user and a timed event."""
    path = tmp_path_factory.mktemp("dialogue")
    (path / "task.cwk").write_text(DIALOGUE, encoding="utf-8")
    built = driver.build([path / "task.cwk"])
    assert built.files is not None, [each.message for each in built.diagnostics]
    write_pack(built.files, path / "dist")
    return path / "dist"


def test_a_pipe_plays_a_dialogue(
    dialogue: Path, cwkc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(LINES))
    shown = cwkc("run", dialogue, "raise_one", "--agent", "human", "-o", tmp_path / "run.json")
    assert (shown.status, shown.err) == (0, "")
    assert (
        "> say Which ticket?\nThe scanner.\n> say Wait.\nIt is 2026-03-15T09:00:00Z.\n\nThe scanner works" in shown.out
    )
    assert "completion 1, safety 1" in shown.out
    assert "completion 1, safety 1" in cwkc("grade", dialogue, "raise_one", tmp_path / "run.json").out


@pytest.mark.parametrize(("agent", "completion"), [("witness", 1), ("idle", 0)])
def test_built_in_agents_live_through_timed_events(
    agent: str, completion: int, dialogue: Path, cwkc: Command, tmp_path: Path
) -> None:
    assert (
        f"completion {completion}, safety 1"
        in cwkc("run", dialogue, "raise_one", "--agent", agent, "-o", tmp_path / "r").out
    )
    messages = json.loads((tmp_path / "r").read_text(encoding="utf-8"))["messages"]
    assert any(each["content"] and each["content"].startswith("It is 2026-03-15T09:00:00Z.") for each in messages)
    assert f"completion {completion}, safety 1" in cwkc("grade", dialogue, "raise_one", tmp_path / "r").out


# ---------------------------------------------------------------------------- the command, at a terminal

AT_TERMINAL = """
import fcntl, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may be started with it ignored
from cwkc.cli import main
main()
"""


class Terminal:
    """The command at a pseudo-terminal of its own. A test that waits for what never comes fails after a while."""

    def __init__(self, *arguments: object) -> None:
        self._over = False
        self._ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (40, 120))
        path = os.pathsep.join(map(os.path.abspath, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-c", AT_TERMINAL, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": path, "TERM": "dumb", "INPUTRC": os.devnull},
        )
        os.close(theirs)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def read_until(self, end: str) -> str:
        """What is shown up to the end, which is waited for."""
        shown = b""
        while end.encode() not in shown:
            shown += self._read()
            assert not self._over, shown.decode()
        return shown.decode().replace("\r\n", "\n")

    def interrupt(self) -> None:
        """Presses Ctrl-C until it is heard: Python misses one that comes while it handles another key.

        What was typed before must have been echoed: Ctrl-C throws away keys that readline is about to read.
        """
        for _ in range(100):
            if self._process.poll() is not None:
                return
            self.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)

    def status(self) -> int:
        """The exit status, once all that is shown was read."""
        while not self._over:
            self._read()
        return self._process.wait(30)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def _read(self) -> bytes:
        ready, _, _ = select.select([self._ours], [], [], 30)
        try:
            shown = os.read(self._ours, 4096) if ready else b""
        except OSError:  # how a terminal says that nobody writes to it any more
            shown = b""
        self._over = not shown
        return shown


@pytest.fixture
def terminal(folder: Path, tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal("run", folder / "dist", "raise_stale", "--agent", "human", "-o", tmp_path / "run.json")
    yield terminal
    terminal.close()


def test_tab_completes_at_a_terminal(terminal: Terminal, tmp_path: Path) -> None:
    terminal.read_until("> ")
    terminal.type("helpdesk_l\t\n")
    assert "TK-301" in terminal.read_until("in all\n> ".replace("\n", "\r\n"))
    terminal.type("helpdesk_u\tti\tTK-301 pr\tcrit\t\n")
    terminal.read_until("> ")
    terminal.type("say TK-301 is critical.\n")
    assert "completion 1, safety 1" in terminal.read_until("reward 1")
    assert terminal.status() == 0
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["score"]["reward"] == 1


def test_control_d_ends_the_run_and_scores_it(terminal: Terminal) -> None:
    terminal.read_until("> ")
    terminal.type("\x04")
    assert "\nraise_stale, agent human, seed 0: 0 calls\n" in terminal.read_until("reward 0")
    assert terminal.status() == 0


def test_control_c_is_status_130_and_no_score(terminal: Terminal, tmp_path: Path) -> None:
    terminal.read_until("> ")
    terminal.type("helpdesk_list")
    terminal.read_until("list")
    terminal.interrupt()
    assert terminal.status() == 130
    assert not (tmp_path / "run.json").exists()
