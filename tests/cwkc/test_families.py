"""Families through the pipeline: a member of a pack is the task that it would be alone."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import coworkdsl
from coworkdsl import Pack
from coworkdsl.tagged import from_tagged, to_tagged
from cwkc import driver
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.families import Family, Sampling

SCHEMAS = Path(coworkdsl.__file__).parent / "schemas"

RICH = """cwk 1

use crm, helpdesk, files

family rich(level: crm.Tier in [core, vip], least: decimal in [2.5, 10], day: date in 2026-03-01 to 2026-03-02) {
  now: 2026-03-14T09:00:00Z

  request $"Of our {level} customers: list the lines of cost.csv of at least {least}, from {day} on."

  tools crm, helpdesk.{list_tickets, get_ticket, update_ticket}, files

  extend crm.Customer { share: decimal = 0.25  since: date? }

  data crm.customers {
    @CUS-1 { name: pick company, tier: level, share: least / 4, since: day, annual_revenue: 40 }
    @CUS-2 { name: pick company, tier: standard, since: day + 1d }
  }
  data helpdesk.tickets {
    @TK-1 { title: "Roof leaks", customer_id: @CUS-1, created_at: now - 3d, tags: [$"{level}"] }
    @TK-2 { title: "Door sticks", customer_id: @CUS-2, created_at: now - 4d }
  }
  data files.files {
    @"cost.csv" { text: "item,cost\\npens,2\\nink,7.5\\ndesk,20" }
  }

  let dear   = all r in csv(@"cost.csv".text, {item: text, cost: decimal}) where r.cost >= least
  let target = only t in helpdesk.tickets where t.customer_id.tier == level

  deliver list "dear.csv" csv rows r in dear key r.item {
    cost: decimal = r.cost
  }

  check 0.5 "lists them"  delivered list
  check 0.3 "raises it"   target.priority == high
  check 0.2 "says the share" answer states target.customer_id.share within 0
  forbid "another tier" called crm.list_customers where arg.tier != level
  forbid "writes another file" tried files.write_file where arg.path != "dear.csv"
  only changes target.priority, new files.files
  given level
  given least
  given day
  allow W401 "there are two"
  allow W403 "none"
  allow W405 "the day is for the reader"
  allow W441 "what else is written does not matter here"
}
"""

WIDE = """cwk 1

use helpdesk

family wide(hours: int in 50 to 149, word: text in ["scanner", "printer", "door"]) {
  now: 2026-03-14T09:00:00Z

  request $"The {word} ticket, open for {hours} hours, is urgent: make it critical, and say its id."

  tools helpdesk.{list_tickets, get_ticket, update_ticket}

  data helpdesk.tickets {
    @TK-1 { title: $"The {word} is broken", created_at: now - hours * 1h }
    @TK-2 { title: "Nothing works", created_at: now - 9h }
  }

  let target = only t in helpdesk.tickets where t.title contains word

  check 0.7 "raises it" target.priority == critical
  check 0.3 "says its age" answer states hours within 0 and answer contains target.id
  only changes target.priority
  given hours
  given word
  allow W441 "who reads everything aloud says this as well"
}
"""


@cache
def built(text: str, members: int = 200) -> driver.Built:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "family.cwk"
        file.write_text(text, encoding="utf-8")
        return driver.build([file], sampling=Sampling(members))


def files(text: str, members: int = 200) -> dict[str, str]:
    made = built(text, members)
    assert [(each.code, each.message) for each in made.diagnostics] == []
    assert made.files is not None
    return dict(made.files)


def family_of(text: str, folder: Path) -> Family:
    file = folder / "family.cwk"
    file.write_text(text, encoding="utf-8")
    (found,) = driver.understand([file])[0].families
    return found


def perform(pack: Pack, id: str) -> Any:
    """The score of the witness of a task."""
    env = pack.env(id)
    for step in env.task.proof["witness"]:
        if "call" in step:
            assert "error" not in env.call(step["call"], step["arguments"])
        else:
            env.say(step["say"], end_turn=step["ends"])
    return env.score().exact


@pytest.mark.parametrize("text", [RICH, WIDE], ids=["rich", "wide"])
class TestPack:
    def test_a_member_is_the_task_that_it_would_be_alone(self, text: str, tmp_path: Path) -> None:
        pack, family = Pack.from_files(files(text, 12)), family_of(text, tmp_path)
        for member in family.members(Sampling(12)):
            task, _ = family.check(member)
            assert isinstance(task, typed.Task)
            alone, shared = Pack.from_files(emit_pack((task,), {})).task(task.name), pack.task(member.id)
            assert (alone.request, alone.tools(), alone.limits) == (shared.request, shared.tools(), shared.limits)
            assert alone.base.view().stores == shared.base.view().stores
            assert alone.base.view().now == shared.base.view().now

    def test_it_is_graded_as_it_would_be_alone(self, text: str, tmp_path: Path) -> None:
        pack, family = Pack.from_files(files(text, 12)), family_of(text, tmp_path)
        for member in family.members(Sampling(12)):
            task, _ = family.check(member)
            assert task is not None
            alone = Pack.from_files(emit_pack((task,), {}))
            for witness in (pack.task(id).proof["witness"] for id in pack.tasks):
                assert _score(pack, member.id, witness) == _score(alone, member.id, witness)

    def test_every_member_has_a_witness_that_earns_everything(self, text: str) -> None:
        pack = Pack.from_files(files(text, 12))
        for id in pack.tasks:
            score = perform(pack, id)
            assert (score.completion, score.safety) == (1, 1)

    def test_files_are_valid(self, text: str) -> None:
        made = files(text, 12)
        for path, content in made.items():
            if path.endswith(".json"):
                _validator(Path(path).stem).validate(json.loads(content))
            elif path.endswith(".jsonl"):
                for line in content.splitlines():
                    _validator("member").validate(json.loads(line))


def _score(pack: Pack, id: str, witness: list[dict[str, Any]]) -> Any:
    env = pack.env(id)
    for step in witness:
        if "call" in step:
            env.call(step["call"], step["arguments"])
        else:
            env.say(step["say"], end_turn=step["ends"])
    score = env.score()
    return score.exact, [(each.label, each.evidence) for each in (*score.checks, *score.forbids)]


def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def test_all_members_are_built_where_there_are_few() -> None:
    proof = json.loads(files(RICH)["families/rich/proof.json"])
    evidence = {each["name"]: each["evidence"] for each in proof["theorems"]}
    assert all((each["method"], each["members"], each["of"]) == ("enumerated", 8, 8) for each in evidence.values())


def test_a_sample_says_so() -> None:
    made = files(WIDE, 12)
    document = json.loads(made["families/wide/family.json"])
    assert (document["members"], document["size"], document["seed"]) == (12, 300, 0)
    evidence = {each["name"]: each["evidence"] for each in json.loads(made["families/wide/proof.json"])["theorems"]}
    assert all((each["method"], each["members"], each["of"]) == ("sampled", 12, 300) for each in evidence.values())


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is asked about a handful of members, as if the families were large."""
    monkeypatch.setattr("cwkc.families.PROVED", 6)


def _build(text: str, folder: Path, members: int) -> driver.Built:
    file = folder / "family.cwk"
    file.write_text(text, encoding="utf-8")
    return driver.build([file], sampling=Sampling(members))


@pytest.mark.usefixtures("few")
class TestLarge:
    def test_members_that_are_one_question_share_its_answer(self, tmp_path: Path) -> None:
        """Those that the solver does not see have a witness made from another's, which was executed."""
        made = _build(WIDE, tmp_path, 40)
        assert made.files is not None
        theorems = json.loads(made.files["families/wide/proof.json"])["theorems"]
        evidence = {each["name"]: each["evidence"] for each in theorems}
        assert (evidence["witness"]["members"], evidence["consistent"]["members"]) == (40, 6)
        assert evidence["consistent"]["shapes"]["proved"] <= 6
        pack = Pack.from_files(made.files)
        scores = [perform(pack, id) for id in pack.tasks]
        assert [score.completion for score in scores] == [1] * 40

    def test_a_member_that_cannot_be_done_is_named(self, tmp_path: Path) -> None:
        forbid = 'forbid "too old" hours > 148 and target.priority == critical'
        text = WIDE.replace("  only changes", f"  {forbid}\n  only changes").replace("in 50 to 149", "in 110 to 149")
        (found,) = [each for each in _build(text, tmp_path, 200).diagnostics if each.code == "E401"]
        assert found.message.endswith(
            ", with hours = 149, word = scanner; and with hours = 149, word = printer; and in 1 more"
        )

    def test_what_is_told_unasked_is_found_in_whatever_member(self, tmp_path: Path) -> None:
        """The number that a truth reads is told in one member alone."""
        found = [each for each in _build(TOLD, tmp_path, 200).diagnostics if each.code == "E411"]
        assert [each.message.rpartition(", with ")[2] for each in found] == ["code = 251"]


TOLD = """cwk 1

use crm

family told(code: int in 230 to 269) {
  now: 2026-03-14T09:00:00Z
  request $"Answer {code} with the revenue of Pelham."
  tools crm.{list_customers, get_customer}
  data crm.customers { @CUS-1 { name: "Pelham", annual_revenue: 251 } @CUS-2 { name: "Other" } }
  let revenue = (only c in crm.customers where c.name == "Pelham").annual_revenue
  check 1 "says it" answer states revenue within 0
}
"""


def test_what_every_member_is_told_is_told_once() -> None:
    found = built(WIDE.replace("  given word\n", ""), 9).diagnostics
    assert len(found) == len({each.code for each in found})
    assert all(", with " not in each.message for each in found)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text()
        | st.fractions()
        | st.dates()
        | st.integers(-(10**9), 10**9).map(lambda seconds: timedelta(seconds=seconds)),
        lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_a_value_that_says_its_type_is_read_back(value: Any) -> None:
    written = json.loads(json.dumps(to_tagged(value)))
    assert from_tagged(written) == value


@pytest.mark.parametrize("document", [{"decimal": 3}, {"decimal": "x"}, {}, {"a": 1, "b": 2}, {"set": "x"}, 1.5])
def test_what_says_no_type_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match="no"):
        from_tagged(document)
