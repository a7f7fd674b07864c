"""Users and events: what is said of them, and what they come to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cwkc.diagnostics import Diagnostic
from cwkc.meaning import typed
from cwkc.meaning.events import in_order, reserved_ids, states

from .support import check, task, the_task

USER = 'user { knows { key: "In the drawer." when said contains "key" } }'
MAIL = '{ from: "a@b.test", to: "a@b.test", subject: "x", body: "x", date: now }'
DRAWER = 'on found at now + 1d { insert desk.tickets { @T-9 { title: "Drawer", opened: now } } }'


def said(body: str, grading: str = 'check 1 "closes" @T-3.status == closed') -> list[tuple[str, str]]:
    """The codes, each with the words that it is about."""
    return [(each.code, each.span.text) for each in found(body, grading)]


def found(body: str, grading: str = 'check 1 "closes" @T-3.status == closed') -> tuple[Diagnostic, ...]:
    return check(task(body, grading))[1]


def typed_task(body: str, grading: str = 'check 1 "closes" @T-3.status == closed') -> typed.Task:
    program, diagnostics = check(task(body, grading))
    assert not diagnostics, [each.message for each in diagnostics]
    return the_task(program)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"In the drawer."', "In the drawer."),
        ("2026-03-20", "2026-03-20"),
        ("4.50", "4.5"),
        ("@T-2.status", "closed"),
        ('$"{@P-1.name} has it"', None),
        ('$"{holder.name} has it"', "Ana has it"),
        ("true", "true"),
    ],
)
def test_a_fact_is_one_value_in_words(value: str, words: str | None) -> None:
    body = f'let holder = @T-1.owner\nuser {{ knows {{ key: {value} when said contains "key" }} }}'
    if words is None:
        assert [code for code, _ in said(body)] == ["E119"]
    else:
        user = typed_task(body).user
        assert user is not None
        assert user.facts["key"].words == words


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('user { persona "Terse." } user { patience 3 turns }', [("E262", "user { patience 3 turns }")]),
        ('user { knows { a: "x" a: "y" } }', [("E262", "a")]),
        ('user { knows { a: "  " } }', [("E301", 'a: "  "')]),
        ("user { knows { a: @T-3.owner.name } }", [("E301", "a: @T-3.owner.name")]),
        ('let key = @T-3\nuser { knows { a: $"It is {key.owner.name}." } }', [("E311", "key.owner.name")]),
        ("user { knows { a: @T-3 } }", [("E206", "@T-3")]),
        ("user { patience 0 turns }", [("E239", "0")]),
        ('on x turn 0 { say "Hi." }', [("E312", "0")]),
        ("on x turn 1 { }", [("E303", "x")]),
        ('on x turn 1 { say " " }', [("E303", "x")]),
        ('on x turn 1 silent { say "Hi." }', [("E302", 'say "Hi."')]),
        ('on x turn 1 { say "Hi." } on x turn 2 { say "Hi." }', [("E262", "x")]),
        ('on x at now { say "Hi." }', [("E304", "now")]),
        ('on x at 2026-03-14T10:00:00+01:00 { say "Hi." }', [("E304", "2026-03-14T10:00:00+01:00")]),
        ('on x at 2026-03-15 { say "Hi." }', [("E206", "2026-03-15")]),
        ('on x at now + 9_000_000d { say "Hi." }', [("E309", "now + 9_000_000d")]),
        ('on x when 3 { say "Hi." }', [("E221", "3")]),
        ('on x when learned y { say "Hi." }', [("E300", "y")]),
        ('on x when called desk.lock { say "Hi." }', [("E204", "lock")]),
        ('on x turn 1 { set @T-8 { title: "a" } }', [("E214", "@T-8")]),
        ("on x turn 1 { set @T-3 { hours: start(@T-1.hours) } }", [("E215", "start(@T-1.hours)")]),
        ("on x turn 1 { set @P-1 { rate: 1 / (@P-1.rate - 1.5) } }", [("E230", "1 / (@P-1.rate - 1.5)")]),
        ('on x turn 1 { insert desk.tickets { @T-1 { title: "a", opened: now } } }', [("E308", "@T-1")]),
        (
            f'{DRAWER} on y turn 1 {{ insert desk.tickets {{ @T-9 {{ title: "a", opened: now }} }} }}',
            [("E308", "@T-9")],
        ),
        (f"on x turn 1 {{ insert gmail.inbox {{ @m {MAIL} }} insert gmail.sent {{ @m {MAIL} }} }}", [("E308", "@m")]),
        ("on x turn 1 { insert desk.tickets { @T-9 { opened: now } } }", [("E224", "{ opened: now }")]),
    ],
)
def test_a_mistake_is_told_once_and_in_its_place(body: str, expected: list[tuple[str, str]]) -> None:
    assert said(body) == expected


# ---------------------------------------------------------------------------- dates and addresses


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("on x at now + 1d { set @T-3 { opened: now } }", []),
        ("on x at now + 1d { set @T-3 { opened: 2026-03-15T08:00:00Z } }", []),
        ("on x at now + 1d { set @T-3 { opened: 2026-03-15T10:00:00Z } }", ["E310"]),
        ('on x turn 1 { insert desk.tickets { @T-9 { title: "a", opened: now + 1h } } }', ["E310"]),
        (f"{DRAWER} on x turn 1 {{ set @T-3 {{ opened: 2026-03-15T09:00:00Z }} }}", []),
        ('on x turn 1 { say "See you on Monday, 17 March 2026." }', ["E245"]),
        ('on x turn 1 { set @T-3 { title: "Monday, 17 March 2026" } }', ["E245"]),
        ('user { knows { a: "Monday, 17 March 2026" } }', ["E245"]),
    ],
)
def test_days_agree_and_nothing_is_dated_ahead(body: str, codes: list[str]) -> None:
    assert [code for code, _ in said(body)] == codes


def test_one_person_has_one_address_whoever_brings_the_record() -> None:
    contact = '{ name: "Ana", email: "ana@elsewhere.test", department: "it", title: "lead" }'
    body = f"on x turn 1 {{ insert contacts.contacts {{ @C-1 {contact} }} }}"
    program = task(body).replace("use gmail", "use gmail, contacts").replace("tools desk", "tools contacts, desk")
    assert [each.code for each in check(program)[1]] == ["E247"]


# ---------------------------------------------------------------------------- truths after events


@pytest.mark.parametrize(
    ("truth", "codes"),
    [
        ("@T-9.title", []),
        ('only t in desk.tickets where t.title == "Drawer"', []),
        ("@T-3.status", ["E306"]),
        ("count(desk.tickets)", ["E306"]),
        ("count(desk.people)", []),
        ("@P-1.name", []),
        ("@T-1.title", ["E306"]),
    ],
)
def test_a_truth_after_an_event_has_one_value(truth: str, codes: list[str]) -> None:
    """Tools set the status of tickets and drop them; nobody writes people or titles."""
    grading = 'check 0.5 "a" @T-3.status == closed\ncheck 0.5 "b" answer contains "x" and it == it'
    assert [code for code, _ in said(f"{DRAWER}\nlet it after found = {truth}", grading)] == codes


@pytest.mark.parametrize(
    "use",
    [
        "let more = it",
        "given it",
        "on y turn 1 { set @T-3 { title: it } }",
        "user { knows { a: it } }",
    ],
)
def test_what_is_settled_before_an_event_cannot_read_it(use: str) -> None:
    assert [code for code, _ in said(f"{DRAWER}\nlet it after found = @T-9.title\n{use}")] == ["E307"]


def test_a_truth_may_build_on_another_after_the_same_event() -> None:
    built = typed_task(f"{DRAWER}\nlet it after found = @T-9\nlet words after found = [it.title]")
    assert built.truths["words"].value == ("Drawer",)
    assert [code for code, _ in said("let it after lost = 3")] == ["E305"]


def test_timed_events_build_on_those_before_them() -> None:
    late = 'on late at now + 2d { set @T-9 { title: "Cupboard" } }'
    first = f"{late} {DRAWER} let it after late = @T-9.title let then after found = @T-9.title"
    built = typed_task(first)
    assert (built.truths["it"].value, built.truths["then"].value) == ("Cupboard", "Drawer")
    assert [event.name for event in in_order(built.events.values())] == ["found", "late"]


def test_the_states_behind_events() -> None:
    built = typed_task(f"{DRAWER} on gone turn 1 {{ delete @T-3 }}")
    initial, gone, drawer = states(built)
    assert [len(state.view().rows("desk.tickets")) for state in (initial, gone, drawer)] == [3, 2, 3]
    assert drawer.view().now == datetime(2026, 3, 15, 9, tzinfo=UTC)
    assert reserved_ids(built.events.values()) == {"desk.tickets": ("T-9",)}
