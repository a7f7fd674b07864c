"""Small random tasks, and random runs of them.

The service has something of everything: preconditions, defaults, branches, inserts with and without an id, deletes.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from cwkc.prove import CallStep, SayStep, Step

SERVICE = """cwk 1

service desk "A desk" {
  enum Status { open, waiting, closed }
  record Person { name: text, mail: email }
  record Case {
    title: text
    status: Status = open
    owner: email?
    level: int = 1
    person: Person?
    note: text?
    tags: [text] = []
    price: decimal = 10
    due: datetime? scheduled
  }
  record Letter { to: email, body: text, about: Case?, urgent: bool = false }
  store people: Person key person_id
  store cases: Case key case_id ids "C-"
  store sent: Letter key letter_id ids "L-"

  tool get (case_id: Case) -> Case { return case_id }
  tool update (case_id: Case, status: Status?, owner: email?, level: int?) -> Case {
    fail locked "it is closed" when case_id.status == closed
    fail too_high "at most 5" when level > 5
    set case_id { status, owner, level }
    return case_id
  }
  tool close (case_id: Case, note: text = "done") -> Case {
    if case_id.level > 2 { set case_id { status: waiting, note: note } }
    else { set case_id { status: closed, note: note } }
    return case_id
  }
  tool reopen (case_id: Case) -> Case {
    fail not_closed "it is not closed" when case_id.status != closed
    set case_id { status: open, note: null }
    return case_id
  }
  tool raise (case_id: Case) -> Case {
    set case_id { level: case_id.level + 1 }
    return case_id
  }
  tool charge (case_id: Case, amount: decimal) -> Case {
    fail nothing "more than nothing" when amount <= 0
    set case_id { price: case_id.price + amount * 2 }
    return case_id
  }
  tool plan (case_id: Case, due: datetime, tags: [text]?) -> Case {
    fail past "not in the past" when due < now
    set case_id { due: due, tags }
    return case_id
  }
  tool create (title: text, person: Person?) -> Case {
    let made = insert cases { title: title, person: person, owner: "desk@x.test" }
    return made
  }
  tool drop (case_id: Case) { delete case_id }
  tool send (to: email, body: text, about: Case?) -> Letter {
    let letter = insert sent { to: to, body: "Dear all, " + body, about: about }
    return letter
  }
  tool put (person_id: text, name: text) -> Person {
    if people[person_id] is null { insert people at person_id { name: name, mail: "new@x.test" } }
    else { set people[person_id] { name: name } }
    return people[person_id]
  }
}
"""

WORLD = """
  data desk.people {
    @ann { name: "Ann", mail: "ann@x.test" }
    @bob { name: "Bob", mail: "bob@x.test" }
  }
  data desk.cases {
    @K1 { title: "red door", person: @ann, level: 1 }
    @K2 { title: "blue door", person: @bob, level: 3, owner: "ann@x.test", tags: ["hot"] }
    @K3 { title: "red roof", status: closed, level: 2 }
  }
"""

TOOLS = ("get", "update", "close", "reopen", "raise", "create", "drop", "send", "put", "charge", "plan")
CASES, PEOPLE = ("K1", "K2", "K3"), ("ann", "bob", "cy")
WEIGHTS = {1: (1,), 2: (0.5, 0.5), 3: (0.5, 0.25, 0.25)}
STATUSES, MAILS = ("open", "waiting", "closed"), ("ann@x.test", "BOB@x.test", "desk@x.test")
WORDS = ("red", "door", "red door", "K1", "done")


class Author:
    """Writes a random task."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

        self.tools = sorted(self.random.sample(TOOLS, self.random.randint(3, len(TOOLS))), key=TOOLS.index)

    def task(self) -> str:
        """One that some run may satisfy, or none."""
        checks = [self.condition() for _ in range(self.random.randint(1, 3))]
        requirements = [self.condition() for _ in range(self.random.randint(0, 1))]
        forbids = [self.condition() for _ in range(self.random.randint(0, 2))]
        frame = [self.allowed() for _ in range(self.random.choice((0, 0, 1, 2, 3)))]
        return self.written(checks, requirements, forbids, frame)

    def candidates(self) -> list[str]:
        """Conditions to choose from."""
        return [self.condition() for _ in range(12)]

    def equally(self, checks: list[str]) -> str:
        """A task that checks these conditions, whatever else is said of it."""
        lines = "\n".join(f'  check 1 "c{i}" {each}' for i, each in enumerate(checks))
        return self.framed(lines)

    def written(self, checks: list[str], requirements: list[str], forbids: list[str], frame: list[str]) -> str:
        lines = [f'  check {WEIGHTS[len(checks)][i]} "c{i}" {each}' for i, each in enumerate(checks)]
        lines += [f'  require "r{i}" {each}' for i, each in enumerate(requirements)]
        lines += [f'  forbid "f{i}" {each}' for i, each in enumerate(forbids)]
        if frame:
            lines.append(f"  only changes {', '.join(sorted(set(frame)))}")
        return self.framed("\n".join(lines))

    def framed(self, body: str) -> str:
        head = 'task t "T" {\n  now: 2026-03-14T09:00:00Z\n  request "Do it."\n'
        return f"{SERVICE}\n{head}  tools desk.{{{', '.join(self.tools)}}}\n{WORLD}\n{body}\n}}\n"

    def allowed(self) -> str:
        return self.pick(
            lambda: f"@{self.of(CASES)}",
            lambda: f"@{self.of(CASES)}.{self.of(('status', 'level', 'note', 'owner'))}",
            lambda: "new desk.sent",
            lambda: "new desk.cases",
            lambda: "desk.cases",
            lambda: "new desk.people",
        )

    def of(self, choices: tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def pick(self, *choices: Callable[[], str]) -> str:
        return self.random.choice(choices)()

    def condition(self, depth: int = 0) -> str:
        if depth < 2 and self.random.random() < 0.35:
            return self.pick(
                lambda: f"({self.condition(depth + 1)} and {self.condition(depth + 1)})",
                lambda: f"({self.condition(depth + 1)} or {self.condition(depth + 1)})",
                lambda: f"not ({self.condition(depth + 1)})",
            )
        return self.pick(
            self.called, self.called, self.final, self.final, self.stored, self.before, self.counted, self.spoken
        )

    def case_test(self, case: str) -> str:
        """A condition on a case's fields."""
        return self.pick(
            lambda: f"{case}.status {self.of(('==', '!='))} {self.of(STATUSES)}",
            lambda: f"{case}.level {self.of(('==', '>=', '<', '!='))} {self.random.randint(0, 6)}",
            lambda: f'{case}.owner {self.of(("==", "!="))} "{self.of(MAILS)}"',
            lambda: f"{case}.owner is null",
            lambda: f'{case}.note contains "{self.of(WORDS)}"',
            lambda: f"{case}.note is null",
            lambda: f'{case}.person.name == "{self.of(("Ann", "Bob"))}"',
            lambda: f'{case}.title contains "{self.of(WORDS)}"',
            lambda: f'"hot" in {case}.tags',
            lambda: f"{case}.price {self.of(('==', '>', '<='))} {self.of(('10', '12.5', '14'))}",
            lambda: f"{case}.due {self.of(('>=', '<'))} now + {self.of(('2h', '1d'))}",
            lambda: f"{case}.due - now {self.of(('>', '=='))} 3h",
            lambda: f"{case}.level * 2 {self.of(('==', '>'))} {case}.level + 2",
        )

    def final(self) -> str:
        return f"({self.case_test('@' + self.of(CASES))})"

    def stored(self) -> str:
        quantifier = self.of(("some", "no"))
        return self.pick(
            lambda: f"({quantifier} c in desk.cases where {self.case_test('c')} and {self.case_test('c')})",
            lambda: f"({quantifier} m in desk.sent where {self.letter_test()})",
            lambda: f"(every c in desk.cases where {self.case_test('c')}: {self.case_test('c')})",
            lambda: f'({quantifier} p in desk.people where p.name == "{self.of(("Ann", "Cy"))}")',
            lambda: (
                f"({quantifier} m in desk.sent where some c in desk.cases where m.about == c and {self.case_test('c')})"
            ),
        )

    def letter_test(self) -> str:
        return self.pick(
            lambda: f'm.to {self.of(("==", "!="))} "{self.of(MAILS)}"',
            lambda: f'm.body contains "{self.of(WORDS)}"',
            lambda: f"m.about == @{self.of(CASES)}",
            lambda: f"m.about.{'level >= 2'}",
            lambda: f'm.body mentions any of ["{self.of(WORDS)}", "roof"]',
        )

    def counted(self) -> str:
        sign, number = self.of(("==", ">=", "<", "!=")), self.random.randint(0, 3)
        return self.pick(
            lambda: f"count(all c in desk.cases where {self.case_test('c')}) {sign} {number}",
            lambda: (
                f"sum(c.price for c in desk.cases where {self.case_test('c')}) {self.of(('>', '<='))} {20 * number}"
            ),
            lambda: f"@{self.of(CASES)}.level {self.of(('>', '=='))} start(@{self.of(CASES)}.level)",
            lambda: f'desk.people["{self.of(PEOPLE)}"] is null',
            lambda: f"count(all m in desk.sent where {self.letter_test()}) {sign} {number}",
            lambda: f"count({self.fact()}) {sign} {number}",
        )

    def called(self) -> str:
        return f"({self.fact()})"

    def fact(self) -> str:
        verb = self.of(("called", "called", "tried"))
        tool = self.of(tuple(self.tools))
        case = self.of(CASES)
        pattern = {
            "get": f"(case_id: @{case})",
            "update": self.of(
                (f"(case_id: @{case})", f"(level: {self.random.randint(1, 6)})", f"(status: {self.of(STATUSES)})", "")
            ),
            "close": self.of((f"(case_id: @{case})", '(note: contains "red")', "")),
            "reopen": self.of((f"(case_id: @{case})", "")),
            "raise": self.of((f"(case_id: @{case})", "")),
            "create": self.of(("(person: @ann)", '(title: contains "red")', "")),
            "drop": self.of((f"(case_id: @{case})", "")),
            "send": self.of((f"(about: @{case})", f'(to: "{self.of(MAILS)}")', '(body: contains "door")', "")),
            "put": self.of(('(person_id: "cy")', '(name: "Cy")', "")),
            "charge": self.of((f"(case_id: @{case})", "(amount: >= 2)", "(amount: 0.5)")),
            "plan": self.of((f"(case_id: @{case})", "(due: >= now)", "")),
        }[tool]
        where = {
            "get": f" where {self.case_test('case_id')}",
            "update": self.of((f" where {self.case_test('case_id')}", " where level > 2", " where owner is null")),
            "close": f" where {self.case_test('case_id')}",
            "raise": f" where {self.case_test('case_id')}",
            "send": self.of(
                (f' where to != "{self.of(MAILS)}"', " where about is null", f" where {self.case_test('about')}")
            ),
        }.get(tool, "")
        return f"{verb} desk.{tool}{pattern}{where if self.random.random() < 0.4 else ''}"

    def before(self) -> str:
        first, second = self.fact(), self.fact()
        return f"({first.split(' where ')[0]} before {second})"

    def spoken(self) -> str:
        return self.pick(
            lambda: f'(answer contains "{self.of(WORDS)}")',
            lambda: f'(said contains "{self.of(WORDS)}")',
            lambda: "(answer states 5 within 1)",
            lambda: '(answer lists "red", "door" in order)',
            lambda: '(answer matches "r.d+ do[o]r")',
        )


class Agent:
    """Does random things that have a chance to matter."""

    def __init__(self, seed: int, tools: list[str]) -> None:
        self.random = Random(seed)
        self.tools = tools

    def run(self) -> tuple[Step, ...]:
        steps: list[Step] = [self.call() for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 3, 4, 5)))]
        if self.random.random() < 0.2:
            steps.append(SayStep(self.words(), ends=False))
        if self.random.random() < 0.6:
            steps.append(SayStep(self.words(), ends=True))
        return tuple(steps)

    def words(self) -> str:
        return self.random.choice(("", "red", "red door", "K1 done", "5", "door K1 done 5"))

    def call(self) -> CallStep:
        choose = self.random.choice
        tool = choose(self.tools)
        case = choose((*CASES, "C-1", "C-2", "K1", "K2"))
        options = {
            "update": {"status": choose(STATUSES), "owner": choose(MAILS), "level": self.random.randint(0, 6)},
            "close": {"note": choose(("red", "door", "K1 red door"))},
            "create": {"person": choose(PEOPLE)},
            "plan": {"tags": [choose(("hot", "cold"))]},
            "send": {"about": case},
        }.get(tool, {})
        needed = {
            "create": {"title": choose(("red", "K1 door", "done"))},
            "send": {"to": choose((*MAILS, "z@x.test")), "body": choose(("", "red", "door", "red door K1 done"))},
            "put": {"person_id": choose(PEOPLE), "name": choose(("Ann", "Cy", "Zed"))},
            "charge": {"case_id": case, "amount": choose((0, 0.5, 1, 1.25, 2, 5))},
            "plan": {"case_id": case, "due": f"2026-03-{choose((13, 14, 15, 20))}T{choose(('09', '12'))}:00:00Z"},
        }.get(tool, {"case_id": case})
        return CallStep(
            f"desk_{tool}", {**needed, **{name: value for name, value in options.items() if self.random.random() < 0.5}}
        )
