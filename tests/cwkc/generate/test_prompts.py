"""The prompts are held against the compiler: every file that they show is one that it accepts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cwkc import driver
from cwkc.generate import prompts
from cwkc.generate.examples import SHOWN, chosen
from cwkc.generate.halves import joined
from cwkc.generate.prompts import Role
from cwkc.generate.slots import Plan, Slot, read_plan
from cwkc.resources import standard_services

CAPABILITIES = ("cross_service_join", "multi_turn", "structured_output")


def slots_of(text: str, folder: Path) -> Plan:
    path = folder / "plan.cwk"
    path.write_text(text, encoding="utf-8")
    plan, found = read_plan(path, folder / "out")
    assert plan is not None, found
    return plan


@pytest.fixture(scope="module")
def slots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Slot, ...]:
    """One for each standard service, in turns of several capabilities and languages."""
    rows = "\n".join(
        f"slot s{number} {{ services: [{service}], capabilities: [{CAPABILITIES[number % 3]}], language: "
        f'{("en", "de", "fr")[number % 3]}, scenario: "Work with {service}." }}'
        for number, service in enumerate(standard_services())
    )
    text = f"cwk 1\nuse {', '.join(standard_services())}\nplan p {{\n{rows}\n}}"
    return slots_of(text, tmp_path_factory.mktemp("plan")).slots


def files_of(text: str) -> list[str]:
    return [file for file in re.findall(r"^```cwk\n(.*?)^```$", text, re.M | re.S) if "…" not in file]


def test_every_example_that_a_slot_may_be_shown_builds(slots: tuple[Slot, ...], tmp_path: Path) -> None:
    shown = {halves for slot in slots for halves in chosen(slot)}
    assert len(shown) > 15
    for number, halves in enumerate(sorted(shown)):
        path = tmp_path / f"shown_{number}.cwk"
        path.write_text(joined(*halves), encoding="utf-8")
        assert not driver.build([path]).diagnostics


def test_every_file_in_a_system_prompt_builds(tmp_path: Path) -> None:
    verifier = files_of(prompts.system_prompt(Role.VERIFIER))
    *sheet, task, grade = verifier
    assert files_of(prompts.system_prompt(Role.WRITER)) == [*sheet, task]
    assert len(sheet) == 3
    for number, text in enumerate((*sheet, joined(task, grade))):
        path = tmp_path / f"shown_{number}.cwk"
        path.write_text(text, encoding="utf-8")
        assert not driver.build([path]).diagnostics


def test_a_writer_sees_no_grading_and_a_verifier_both_halves(slots: tuple[Slot, ...]) -> None:
    slot = slots[0]
    examples = chosen(slot)
    writer = files_of(prompts.writer_request(slot).content)
    assert writer == [halves.task for halves in examples]
    assert not any(re.search(r"^\s*(check|forbid|only changes)\b", text, re.M) for text in writer)
    verifier = files_of(prompts.verifier_request(slot, "cwk 1\ntask t {}\n").content)
    assert verifier == ["cwk 1\ntask t {}\n", *(half for halves in examples for half in halves)]


def test_examples_are_like_the_slot(slots: tuple[Slot, ...]) -> None:
    for slot in slots:
        service = slot.wanted.services[0]
        everything, shown = chosen(slot, 1000), chosen(slot)
        assert shown == everything[:SHOWN]
        offering = [f" {service}." in each.task or f" {service}," in each.task for each in everything]
        assert offering[0] or not any(offering)


def test_a_request_is_the_same_for_the_same_slot_and_no_other(tmp_path: Path) -> None:
    text = 'cwk 1\nuse crm\nplan p { slot a { services: [crm], scenario: "One." } slot b { services: [crm] } }'
    one, other = slots_of(text, tmp_path).slots
    assert prompts.writer_request(one) == prompts.writer_request(slots_of(text, tmp_path).slots[0])
    assert one.digest != other.digest
    assert slots_of(text.replace("One.", "Two."), tmp_path).slots[0].digest != one.digest
    assert (
        prompts.Request("m", "a", Role.WRITER, 1, "s", ()).key != prompts.Request("n", "a", Role.WRITER, 1, "s", ()).key
    )


def test_services_of_the_plan_itself_are_described_and_used(tmp_path: Path) -> None:
    (tmp_path / "desk.cwk").write_text(
        "cwk 1\nservice desk { record Item { title: text } store items: Item key item_id\n"
        '  tool get "Gets it" (item: Item) -> Item { return item } }',
        encoding="utf-8",
    )
    (slot,) = slots_of('cwk 1\nuse crm, "desk.cwk"\nplan p { slot a { services: [crm, desk] } }', tmp_path).slots
    assert slot.uses == ("use crm", 'use "../desk.cwk"')
    assert "desk_get" in slot.signatures
    assert "crm_get_customer" in slot.signatures
