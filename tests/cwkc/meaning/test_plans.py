"""Plans: what their slots say."""

from __future__ import annotations

from datetime import date

import pytest

from .support import check, codes

SLOT = """services: [crm, mail], category: workflow, difficulty: hard, language: en, now: 2026-03-14,
  capabilities: [cross_service_join], distractors: 4, scenario: "Escalate by age."
"""


def plan(slots: str, more: str = "") -> str:
    return f"cwk 1\nuse crm, gmail as mail\nplan week {{ {slots} }}\n{more}"


def test_a_slot_is_kept_as_it_is_meant() -> None:
    program, diagnostics = check(plan(f"slot M1 {{ {SLOT} }} slot M2 {{ }}"))
    assert diagnostics == ()
    (week,) = program.plans
    first, second = week.slots
    assert (week.name, first.name, second.name) == ("week", "M1", "M2")
    assert (first.services, first.category, first.difficulty) == (("crm", "gmail"), "workflow", "hard")
    assert (first.language, first.now, first.capabilities) == ("en", date(2026, 3, 14), ("cross_service_join",))
    assert (first.distractors, first.scenario) == (4, "Escalate by age.")
    assert (second.services, second.now, second.scenario) == ((), None, None)
    assert program.tasks == ()


def test_a_scenario_is_a_word_of_the_planning_or_a_text() -> None:
    words = "scenario: refund, deliverable: answer, persona: nurse, safety: phishing"
    program, diagnostics = check(plan(f"slot M1 {{ {words} }}"))
    assert diagnostics == ()
    (slot,) = program.plans[0].slots
    assert (slot.scenario, slot.deliverable, slot.persona, slot.safety) == ("refund", "answer", "nurse", "phishing")


@pytest.mark.parametrize(
    ("slot", "expected"),
    [
        ("catgory: workflow", ["E298"]),
        ("category: wrokflow", ["W452"]),
        ('category: "workflow"', ["E235"]),
        ("services: [helpdesk]", ["E203"]),
        ("services: crm", ["E235"]),
        ("capabilities: [jugling]", ["W452"]),
        ('capabilities: ["arithmetic"]', ["E235"]),
        ("now: 3", ["E235"]),
        ("distractors: 0.5", ["E235"]),
        ("language: 3", ["E235"]),
        ("scenario: 3", ["E235"]),
        ("scenario: refnud", ["W452"]),
        ("deliverable: fax", ["W452"]),
        ("persona: pirate", ["W452"]),
        ("safety: [phishing]", ["E235"]),
        ("scenario", ["E235"]),
        ("difficulty: hard, difficulty: easy", ["E262"]),
    ],
)
def test_mistakes_in_a_slot(slot: str, expected: list[str]) -> None:
    assert codes(plan(f"slot M1 {{ {slot} }}")) == expected


def test_names_are_told_apart() -> None:
    assert codes(plan("slot M1 { } slot M1 { }")) == ["E262"]
    assert codes(plan("", "plan week { }")) == ["E262"]


def test_words_of_the_file_are_known() -> None:
    assert codes(plan("slot M1 { capabilities: [juggling] }", "enum Capability { juggling }")) == []
