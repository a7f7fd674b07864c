"""What a reset, a tool call and a grading cost, beside plain Python written by hand for the same task.

    python benchmarks/runtime.py

The task is the tests' pack `desk` with 40 tickets. The floor keeps its records in dicts, checks the arguments inline,
logs its writes and returns fresh results; it has no error messages, no rollback and no evidence. Each figure is the
median of several passes in one process, floor and runtime in turns, in microseconds: ratios are what to compare.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from coworkdsl import Environment, Pack

DESK = Path(__file__).parent.parent / "tests" / "coworkdsl" / "desk"
TICKETS = 40
PASSES = 400
CALLS = 10
UPDATE = {"ticket_id": "TK-3", "priority": "critical"}
ENDING = "TK-3 is critical now."


def big_desk() -> Pack:
    files = {
        str(path.relative_to(DESK)): path.read_text(encoding="utf-8") for path in DESK.rglob("*.*") if path.is_file()
    }
    world = json.loads(files["tasks/triage/world.json"])
    tickets = world["rows"]["helpdesk.tickets"]
    for number in range(len(tickets) + 1, TICKETS + 1):
        hour = f"2026-03-10T{number % 24:02}:{number:02}:00Z"
        tickets[f"TK-{number}"] = {"title": f"Ticket {number}", "created_at": hour, "tags": ["vip"]}
    task = json.loads(files["tasks/triage/task.json"]) | {"limits": {}}
    return Pack.from_files(
        files | {"tasks/triage/world.json": json.dumps(world), "tasks/triage/task.json": json.dumps(task)}
    )


# ---------------------------------------------------------------------------- the floor

PRIORITIES = frozenset(("low", "medium", "high", "critical"))


class Floor:
    """The same task by hand: records as they go over the wire, copied when they are written or returned."""

    __slots__ = ("base", "calls", "log", "said", "sent", "tickets")

    def __init__(self, base: dict[str, dict[str, Any]]) -> None:
        self.base = base
        self.tickets = base
        self.sent: list[dict[str, Any]] = []
        self.log: list[tuple[int, str, str]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.said: list[str] = []

    def get_ticket(self, arguments: dict[str, Any]) -> dict[str, Any]:
        id = arguments.get("ticket_id")
        if not isinstance(id, str) or len(arguments) != 1 or id not in self.tickets:
            return {"error": "invalid"}
        self.calls.append(("get_ticket", dict(arguments)))
        ticket = self.tickets[id]
        return {"ticket_id": id, **ticket, "tags": list(ticket["tags"])}

    def update_ticket(self, arguments: dict[str, Any]) -> dict[str, Any]:
        id, priority = arguments.get("ticket_id"), arguments.get("priority")
        if not isinstance(id, str) or priority not in PRIORITIES or len(arguments) != 2 or id not in self.tickets:
            return {"error": "invalid"}
        if self.tickets[id]["status"] == "closed":
            return {"error": "closed"}
        if self.tickets is self.base:
            self.tickets = dict(self.base)
        ticket = self.tickets[id] = {**self.tickets[id], "priority": priority}
        self.log.append((len(self.calls), id, "priority"))
        self.calls.append(("update_ticket", dict(arguments)))
        return {"ticket_id": id, **ticket, "tags": list(ticket["tags"])}

    def list_tickets(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments:
            return {"error": "invalid"}
        self.calls.append(("list_tickets", {}))
        found = sorted(self.tickets.items(), key=lambda pair: pair[1]["created_at"], reverse=True)
        items = [
            {"ticket_id": id, "title": t["title"], "priority": t["priority"], "tags": list(t["tags"])}
            for id, t in found[:50]
        ]
        return {"items": items, "total": len(items)}

    def send_message(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if len(arguments) != 2 or "@" not in arguments["to"] or not isinstance(arguments["subject"], str):
            return {"error": "invalid"}
        self.log.append((len(self.calls), "sent", "new"))
        self.calls.append(("send_message", dict(arguments)))
        message = {"message_id": f"m-{len(self.sent)}", **arguments, "body": ""}
        self.sent.append(message)
        return dict(message)

    def grade(self) -> float:
        read = any(tool == "get_ticket" and a["ticket_id"] == "TK-3" for tool, a in self.calls)
        to = {message["to"].casefold() for message in self.sent}
        told = sum(address in to for address in ("ines@ourco.test", "ole@ourco.test")) / 2
        answer = self.said[-1].casefold() if self.said else ""
        reports = "tk-3" in answer and "critical" in answer
        completion: float = (
            0.2 * read + 0.3 * (self.tickets["TK-3"]["priority"] == "critical") + 0.3 * told + 0.2 * reports
        )
        tools = [tool for tool, _ in self.calls]
        if not tools.index("list_tickets") < tools.index("update_ticket"):
            completion *= 0.5
        kept = all(what == "new" or (id, what) == ("TK-3", "priority") for _, id, what in self.log)
        return completion * kept


def floor_base(pack: Pack) -> dict[str, dict[str, Any]]:
    env = pack.env("triage")
    ids = [ticket["ticket_id"] for ticket in env.call("helpdesk_list_tickets")["items"]]
    tickets = {}
    for id in sorted(ids):
        ticket = env.call("helpdesk_get_ticket", {"ticket_id": id})
        tickets[id] = {name: value for name, value in ticket.items() if name != "ticket_id"}
    return tickets


# ---------------------------------------------------------------------------- measuring


def played(env: Environment) -> Environment:
    env.call("helpdesk_list_tickets", {})
    env.call("helpdesk_get_ticket", {"ticket_id": "TK-3"})
    env.call("helpdesk_update_ticket", UPDATE)
    env.call("mail_send_message", {"to": "ines@ourco.test", "subject": "TK-3"})
    env.call("mail_send_message", {"to": "ole@ourco.test", "subject": "TK-3"})
    env.say(ENDING)
    return env


def played_floor(floor: Floor) -> Floor:
    floor.list_tickets({})
    floor.get_ticket({"ticket_id": "TK-3"})
    floor.update_ticket(UPDATE)
    floor.send_message({"to": "ines@ourco.test", "subject": "TK-3"})
    floor.send_message({"to": "ole@ourco.test", "subject": "TK-3"})
    floor.said.append(ENDING)
    return floor


def microseconds(make: Callable[[], Callable[[], Any]]) -> float:
    """The mean of one pass, a few calls on a subject made afresh for it."""
    action = make()
    start = process_time()
    for _ in range(CALLS):
        action()
    return (process_time() - start) / CALLS * 1e6


def cases(pack: Pack) -> dict[str, tuple[Callable[[], Callable[[], Any]], Callable[[], Callable[[], Any]]]]:
    """By name: what makes the floor's action, and what makes the runtime's."""
    base = floor_base(pack)

    def calls(floor_tool: str, tool: str, arguments: dict[str, Any]) -> Any:
        def make_floor() -> Callable[[], Any]:
            function = getattr(Floor(base), floor_tool)
            return lambda: function(arguments)

        def make() -> Callable[[], Any]:
            env = pack.env("triage")
            return lambda: env.call(tool, arguments)

        return make_floor, make

    mail = {"to": "ines@ourco.test", "subject": "TK-3"}
    return {
        "reset": (lambda: lambda: Floor(base), lambda: lambda: pack.env("triage")),
        "call: read one": calls("get_ticket", "helpdesk_get_ticket", {"ticket_id": "TK-3"}),
        "call: change one": calls("update_ticket", "helpdesk_update_ticket", UPDATE),
        "call: create one": calls("send_message", "mail_send_message", mail),
        f"call: list {TICKETS}": calls("list_tickets", "helpdesk_list_tickets", {}),
        "call: refused": calls("get_ticket", "helpdesk_get_ticket", {"ticket_id": 3}),
        "grade: 8 rules": (lambda: played_floor(Floor(base)).grade, lambda: played(pack.env("triage")).score),
        "episode: 5 calls, grade": (
            lambda: lambda: played_floor(Floor(base)).grade(),
            lambda: lambda: played(pack.env("triage")).score(),
        ),
    }


def main() -> None:
    pack = big_desk()
    assert played(pack.env("triage")).score().exact.reward == Fraction(1)
    assert played_floor(Floor(floor_base(pack))).grade() == 1
    print(f"{'':26}{'floor µs':>10}{'coworkdsl µs':>14}{'ratio':>8}")
    for name, makers in cases(pack).items():
        pairs = [[microseconds(make) for make in makers] for _ in range(PASSES)]
        floor, ours = (median(column) for column in zip(*pairs, strict=True))
        print(f"{name:26}{floor:10.2f}{ours:14.2f}{ours / floor:8.1f}")


if __name__ == "__main__":
    main()
