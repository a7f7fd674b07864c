"""Emitted tools do what the meaning of their bodies says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coworkdsl import Environment, Pack
from coworkdsl.operations import Undefined
from coworkdsl.tools import Refused
from coworkdsl.world import Fail, World
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.execution import execute, result

from .. import generators
from ..generators import PARAMETERS, TOOL
from .test_meaning import ARGUMENTS, CALLS

PROGRAMS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))

BODY = """
  tool probe ({parameters}) -> [Item] {{
    fail odd "it is odd" when {fails} and {second}
    let note = {note}
    if not {first} {{
      set a_item {{ note: note, price: {price}, team: a_team }}
      if {second} {{ delete a_item }}
    }} else {{
      let other = insert archive at "AR-9" {{
        title: "Other", note: note, day: a_date, at: now, owner: "me@work.test", home: a_item.home
      }}
      set other {{ span: a_duration }}
      return [other]
    }}
    let made = insert items {{
      title: "Made", span: {span}, day: a_date, at: now, owner: "me@work.test", home: a_item.home
    }}
    return [a_item, made] + {items}
  }}
"""


@st.composite
def bodies(draw: Any) -> str:
    conditions = {name: draw(generators.conditions(TOOL)) for name in ("fails", "first", "second")}
    values = {name: draw(generators.values(kind, TOOL)) for name, kind in KINDS.items()}
    parameters = ", ".join(f"a_{name}: {kind}" for name, kind in PARAMETERS.items())
    return BODY.format(parameters=parameters, **conditions, **values)


KINDS = {"note": "text", "price": "decimal", "span": "duration", "items": "items"}


class Interpreted:
    """A run of the task's tools by the meaning of their bodies."""

    def __init__(self, task: typed.Task, env: Environment) -> None:
        self.tools = {tool.wire_name: tool for tool in task.tools}
        self.offered = env.task.offered
        self.world = World(env.task.base)
        self.calls = 0

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | str:
        """What the tool answers, or the code of its error."""
        self.world.begin(self.calls)
        self.calls += 1
        tool, signature = self.tools[name], self.offered[name].signature
        try:
            values = signature.read(dict(arguments))
            signature.require_records(values, self.world)
            value = execute(tool, dict(zip(signature.names, values, strict=True)), self.world)
            answer = result(tool.returns, value, self.world).wire()
        except (Refused, Fail, Undefined) as refused:
            self.world.rollback()
            return refused.code
        self.world.commit()
        return answer


@PROGRAMS
@given(bodies(), CALLS, ARGUMENTS)
def test_bodies_of_tools(body: str, calls: list[tuple[str, Mapping[str, Any]]], arguments: Mapping[str, Any]) -> None:
    task = generators.task_of(generators.program(tools=body))
    env = Pack.from_files(emit_pack((task,), {})).env(task.name)
    interpreted = Interpreted(task, env)
    for name, given_arguments in [*calls, ("desk_probe", arguments), ("desk_probe", arguments)]:
        answer = env.call(name, dict(given_arguments))
        error = answer.get("error")
        assert interpreted.call(name, given_arguments) == (error["code"] if error else answer)
    assert not env.defects
    assert interpreted.world.log == list(env.trace.writes)
