"""What the scripted user and the events do in a run, turn by turn."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from coworkdsl.layout import Layout
from coworkdsl.operations import div
from coworkdsl.run import Call, Run
from coworkdsl.script import Fact, Script, ScriptedEvent
from coworkdsl.simulation import Simulation
from coworkdsl.tools import done
from coworkdsl.world import Base, World

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
DAY = timedelta(days=1)
LAYOUT = Layout.from_json(
    {
        "records": {"s.A": {"fields": {"n": {"type": "int", "default": 7}}, "stores": ["s.x", "s.y"]}},
        "stores": {
            "s.x": {"record": "s.A", "key": "id", "prefix": "a"},
            "s.y": {"record": "s.A", "key": "id", "prefix": "a"},
        },
    }
)
ROWS: Mapping[str, Any] = {"s.x": {"k": {"n": 2}, "l": {"n": 3}}}
REQUEST = "Which one is it? Tell me."
Write = Callable[[World], Any]


class Office:
    """A run over a small world, whose tools are whatever a test lets them write."""

    def __init__(self, script: Script, reserved: Mapping[str, list[str]] | None = None) -> None:
        self.base = Base(LAYOUT, ROWS, NOW, reserved or {})
        self.world = World(self.base)
        self.calls: list[Call] = []
        self.simulation = Simulation(script, REQUEST, self.base.view(), self.world, self.calls)

    def call(self, write: Write = lambda w: None) -> Any:
        """Makes a call, and gives what the write gives."""
        index = len(self.calls)
        self.world.begin(index)
        given = write(self.world)
        self.world.commit()
        self.calls.append(Call(index, "s_write", "s.write", {}, True, {}, done()))
        self.simulation.after_call()
        return given

    def say(self, text: str = "") -> str | None:
        if text:
            self.simulation.hear(text)
        answer = self.simulation.end_turn()
        return None if answer is None else "\n\n".join(filter(None, answer))

    @property
    def run(self) -> Run:
        return Run(self.base.view(), self.world, self.calls, (), self.simulation.told, self.simulation.fired)

    def n(self, id: str) -> Any:
        return self.world.field("s.A", id, "n")


def sets(id: str, n: int) -> Write:
    return lambda w: w.update("s.A", id, {"n": n})


def event(name: str, write: Write = lambda w: None, *said: str, **when: Any) -> ScriptedEvent:
    def act(w: World) -> tuple[str, ...]:
        write(w)
        return said

    return ScriptedEvent(name, act, "t.cwk:1", **when)


def user(*facts: Fact, patience: int = 12, events: tuple[ScriptedEvent, ...] = (), language: str = "en") -> Script:
    return Script(facts, events, patience=patience, language=language)


def events(*scripted: ScriptedEvent) -> Script:
    return Script(events=scripted)


def asks(word: str) -> Callable[[Run], bool]:
    return lambda run: any(word in text for text in run.said)


def n_is(id: str, n: int) -> Callable[[Run], bool]:
    return lambda run: run.final.field("s.A", id, "n") == n


# ---------------------------------------------------------------------------- facts

WHICH = Fact("which", "The small one.", asks("size"), "t.cwk:1")


def test_a_fact_is_told_once_when_it_is_asked_for() -> None:
    office = Office(user(WHICH))
    assert office.say("Hello?") == "I have nothing to add to that."
    office.call()
    assert office.say("What size?") == "The small one."
    assert office.simulation.told == {"which": 1}
    assert office.say("What size?") == "I have nothing to add to that."
    assert office.run.learned("which")


def test_a_fact_that_nobody_need_ask_for_is_told_when_the_agent_first_speaks() -> None:
    office = Office(
        user(Fact("hint", "Mind the step.", None, "t.cwk:1"), patience=3, events=(event("e", at=NOW + DAY),))
    )
    assert office.say() == "It is 2026-03-15T09:00:00Z."
    assert office.say("Hello.") == "Mind the step."


def test_several_facts_are_told_in_one_answer() -> None:
    office = Office(user(WHICH, Fact("hue", "The red one.", asks("colour"), "t.cwk:1")))
    assert office.say("Which size and colour?") == "The small one.\n\nThe red one."


def test_words_that_only_repeat_the_request_ask_for_nothing() -> None:
    office = Office(user(Fact("it", "That one.", asks("which"), "t.cwk:1")))
    assert office.say(f"  {REQUEST.upper()} ") is None
    assert office.simulation.told == {}
    assert office.simulation.ended


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "I have nothing to add to that."),
        ("de", "Dazu habe ich nichts hinzuzufügen."),
        ("fr", "Je n'ai rien à ajouter à cela."),
        ("nl", "I have nothing to add to that."),
    ],
)
def test_a_question_is_answered_in_the_tasks_language(language: str, answer: str) -> None:
    assert Office(user(language=language)).say("And now?") == answer
    assert Office(user(language=language)).say("And now？") == answer


def test_a_question_is_answered_in_its_own_turn_alone() -> None:
    office = Office(user())
    assert office.say("And now?") is not None
    assert office.say() is None
    assert office.simulation.ended


def test_nobody_answers_where_there_is_no_user() -> None:
    office = Office(events(event("e", silent=True, when=n_is("k", 99))))
    assert office.say("And now?") is None
    assert office.simulation.ended


def test_patience_ends_with_the_users_last_words() -> None:
    office = Office(user(WHICH, patience=2))
    assert office.say("Hello?") is not None
    assert office.say("What size?") == "The small one."
    assert office.simulation.ended


# ---------------------------------------------------------------------------- events


def test_a_condition_is_asked_after_calls_and_turns_and_fires_once() -> None:
    office = Office(user(events=(event("e", sets("l", 9), "Thanks.", when=n_is("k", 5)),)))
    office.call(sets("k", 4))
    assert office.simulation.fired == {}
    office.call(sets("k", 5))
    assert (office.simulation.fired, office.n("l")) == ({"e": 2}, 9)
    office.call(sets("l", 0))
    assert office.n("l") == 0
    assert office.say() == "Thanks."
    assert office.say() is None


def test_a_condition_on_what_is_said_is_met_at_the_turns_end() -> None:
    office = Office(user(WHICH, events=(event("e", sets("k", 9), when=lambda run: run.learned("which")),)))
    assert office.say("What size?") == "s.x: k has changed\n\nThe small one."
    assert office.run.final.field("s.A", "k", "n") == 9


def test_events_set_one_another_off() -> None:
    chain = (event("b", sets("k", 0), when=n_is("l", 9)), event("a", sets("l", 9), when=n_is("k", 5)))
    office = Office(events(*chain))
    office.call(sets("k", 5))
    assert list(office.simulation.fired) == ["a", "b"]
    assert (office.n("k"), office.n("l")) == (0, 9)


def test_events_that_undo_one_another_come_to_an_end() -> None:
    pair = (event("a", sets("k", 0), when=n_is("k", 1)), event("b", sets("k", 1), when=n_is("k", 0)))
    office = Office(events(*pair))
    office.call(sets("k", 0))
    assert list(office.simulation.fired) == ["b", "a"]


def test_turns_are_counted_from_one() -> None:
    office = Office(events(event("first", lambda w: None, "One.", turn=1), event("second", sets("k", 9), turn=2)))
    assert office.say("Hello.") == "One."
    assert office.n("k") == 2
    assert office.say() == "s.x: k has changed"
    assert office.say() is None


def test_time_passes_where_nobody_answers() -> None:
    office = Office(
        events(
            event("late", lambda w: None, "Late.", at=NOW + 2 * DAY),
            event("early", sets("k", 9), at=NOW + DAY),
            event("too", lambda w: None, "Too.", at=NOW + DAY),
        )
    )
    assert office.call(lambda w: w.now) == NOW
    assert office.say("Done.") == "It is 2026-03-15T09:00:00Z.\ns.x: k has changed\n\nToo."
    assert office.call(lambda w: w.now) == NOW + DAY
    assert office.say() == "It is 2026-03-16T09:00:00Z.\n\nLate."
    assert office.call(lambda w: w.now) == NOW + 2 * DAY
    assert office.say() is None
    assert (office.simulation.ended, office.world.now) == (True, NOW + 2 * DAY)


def test_an_answer_comes_before_the_next_timed_event() -> None:
    office = Office(user(WHICH, events=(event("e", at=NOW + DAY),)))
    assert office.say("What size?") == "The small one."
    assert office.world.now == NOW
    assert office.say("What size?") == "I have nothing to add to that."
    assert office.say("Fine.") == "It is 2026-03-15T09:00:00Z."


def test_silent_events_are_not_announced() -> None:
    office = Office(events(event("e", sets("k", 9), at=NOW + DAY, silent=True)))
    assert office.say() == "It is 2026-03-15T09:00:00Z."
    assert office.n("k") == 9


def test_an_event_without_words_is_announced_by_what_it_changed() -> None:
    def write(w: World) -> None:
        w.place("s.x", "new", {})
        w.update("s.A", "k", {"n": 9})
        w.delete("s.A", "l")

    office = Office(events(event("e", write, turn=1)))
    assert office.say() == "s.x: new is new\ns.x: k has changed\ns.x: l is gone"


def test_the_event_that_ends_the_run_is_the_last() -> None:
    office = Office(events(event("bye", lambda w: None, "Bye.", turn=1, ends=True), event("e", at=NOW + DAY)))
    assert office.say() == "Bye."
    assert office.simulation.ended
    assert office.world.now == NOW


def test_an_event_whose_values_do_not_exist_changes_nothing() -> None:
    def write(w: World) -> None:
        w.update("s.A", "k", {"n": 9})
        w.update("s.A", "l", {"n": div(1, w.field("s.A", "l", "n"))})

    office = Office(events(event("e", write, "Done.", turn=1)))
    office.call(sets("l", 0))
    assert office.say() is None
    assert (office.n("k"), office.simulation.fired) == (2, {"e": 1})


def test_a_condition_without_a_value_does_not_hold() -> None:
    office = Office(events(event("e", sets("k", 9), when=lambda run: div(1, run.final.field("s.A", "l", "n")) == 1)))
    office.call(sets("l", 0))
    assert office.simulation.fired == {}
    office.call(sets("l", 1))
    assert office.n("k") == 9


# ---------------------------------------------------------------------------- what the run says of it


def test_reserved_ids_are_never_minted() -> None:
    office = Office(events(event("e", lambda w: w.place("s.x", "a1", {}), turn=1)), {"s.x": ["a1"]})
    assert office.call(lambda w: w.insert("s.y", None, {})) == "a2"
    assert office.say() == "s.x: a1 is new"


@pytest.mark.parametrize("store", ["s.x", "s.y"])
def test_an_event_places_a_record_over_one_that_the_agent_made(store: str) -> None:
    office = Office(events(event("e", lambda w: w.place("s.x", "mine", {}), turn=1)))
    office.call(lambda w: w.insert(store, "mine", {"n": 1}))
    office.say()
    assert office.world.locate("s.A", "mine") == ("s.x", {"n": 7})


def test_events_are_not_blamed_for_what_they_write() -> None:
    office = Office(events(event("e", sets("l", 9), when=n_is("k", 5))))
    office.call(sets("k", 5))
    (write,) = office.run.frame(())
    assert (write.id, write.event) == ("k", "")
    assert [each.id for each in office.run.writes_of(0)] == ["k"]


def test_states_before_calls_and_behind_events() -> None:
    office = Office(events(event("e", sets("k", 6), when=n_is("k", 5)), event("late", sets("k", 8), at=NOW + DAY)))
    office.call(sets("l", 0))
    office.call(sets("k", 5))
    office.call(sets("l", 1))
    office.say()
    office.say()
    run = office.run
    assert [run.before(call).field("s.A", "k", "n") for call in range(4)] == [2, 2, 6, 8]
    assert [run.before(call).field("s.A", "l", "n") for call in range(4)] == [3, 0, 0, 1]
    assert run.when(lambda view: view.field("s.A", "k", "n") == 6) == (1, 2)
    assert run.when(lambda view: view.field("s.A", "k", "n") == 8) == (2,)


def test_a_state_before_an_event_counts_as_one_of_the_run() -> None:
    """A call's own state is seen though an event overwrites it at once."""
    office = Office(events(event("e", sets("k", 6), when=n_is("k", 5))))
    office.call(sets("k", 5))
    assert office.run.when(lambda view: view.field("s.A", "k", "n") == 5) == (0,)
