"""Whatever a task says, something is established about it, and nothing is raised."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cwkc.flow import follow

from .. import generators
from ..generators import GRADING, PARAMETERS, TOOL
from ..meaning import support

PROGRAMS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@PROGRAMS
@given(
    st.lists(generators.conditions(GRADING), min_size=1, max_size=4),
    generators.values("items", GRADING),
    generators.values("items", TOOL),
)
def test_nothing_is_raised(conditions: list[str], chosen: str, shown: str) -> None:
    parameters = ", ".join(f"a_{name}: {kind}" for name, kind in PARAMETERS.items())
    tool = f"tool probe ({parameters}) -> [Item] {{ return {shown} }}"
    truth = f'let chosen = {chosen} check 0 "some of them" some x in chosen where answer contains x.title'
    checks = "\n".join(f'check 1 "condition {index}" {each}' for index, each in enumerate(conditions))
    tasks, _ = generators.checked(generators.program(f"{truth}\n{checks}", tools=tool))
    for task in tasks:
        assert {each.theorem.name for each in follow(task)} == {"reachable", "sealed", "dated", "live"}


def test_sums_within_a_comparison_of_all() -> None:
    busiest = """let busiest = only p in desk.people
      where every o in desk.people:
        sum(t.hours for t in desk.tickets where t.owner == p)
          >= sum(t.hours for t in desk.tickets where t.owner == o)"""
    program, diagnostics = support.check(support.task(busiest, 'check 1 "names it" answer contains busiest.name'))
    assert diagnostics == ()
    assert {each.theorem.name for each in follow(program.tasks[0])} >= {"reachable", "sealed", "live"}
