"""The real defects of published tasks, rebuilt: whether the compiler catches each, at the right lines.

A folder of `tests/corpus/defects` is a row. Its `case.toml` says what must become of it:

    caught     `faulty.cwk` gets every one of `codes`, and each of `lines` is marked by one; `repaired.cwk` gets nothing
    accepted   `accepted.cwk` is no fault, and gets nothing
    open       cannot be written yet: `reason` says which construct of the language it waits for
    harness    cannot be written at all: `reason` says why a declaration of tasks cannot have the fault
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from cwkc import driver
from cwkc.diagnostics import Diagnostic
from scripts.demo import table

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus" / "defects"
GOOD = ("examples", "stdlib", "tests/corpus/good")
HEADS = ("row", "kind", "verdict", "seen", "")
CONSTRUCTS = frozenset(("user", "on", "learned", "fault", "judge", "deliver", "asset", "always"))
FILES = {
    "caught": {"faulty.cwk", "repaired.cwk"},
    "accepted": {"accepted.cwk"},
    "open": set[str](),
    "harness": set[str](),
}


@frozen
class Case:
    folder: Path
    row: str
    kind: str
    verdict: str
    codes: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    reason: str = ""


@frozen(eq=False)
class Result:
    """`seen`: the codes that the faulty file gets. `misses`: in what way the row is not what it must be."""

    case: Case
    seen: tuple[str, ...]
    misses: tuple[str, ...]


def cases() -> list[Case]:
    """Every case, in the order of the rows. Raises OSError, TOMLDecodeError, and TypeError for an unknown key."""
    read = [_case(path) for path in CORPUS.glob("*/case.toml")]
    return sorted(read, key=lambda case: (case.row[0], int(case.row[1:])))


def _case(path: Path) -> Case:
    said: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    lists = {key: tuple(value) for key, value in said.items() if isinstance(value, list)}
    return Case(path.parent, **{**said, **lists})


def examine(case: Case) -> Result:
    """Builds the files of a case."""
    misses = list(_misdeclared(case))
    if misses or case.verdict in ("open", "harness"):
        return Result(case, (), tuple(misses))
    if case.verdict == "accepted":
        return Result(case, (), tuple(_alarms(case.folder / "accepted.cwk")))
    found = said_of(case.folder / "faulty.cwk")
    misses = [*_missed(case, found), *_alarms(case.folder / "repaired.cwk")]
    return Result(case, tuple(sorted({each.code for each in found})), tuple(misses))


def said_of(path: Path) -> Sequence[Diagnostic]:
    return driver.build([path]).diagnostics


def _misdeclared(case: Case) -> Iterator[str]:
    """What is wrong with the folder itself."""
    name = "-".join([case.row, *re.findall(r"[a-z0-9]+", case.kind.lower())])
    if case.folder.name != name:
        yield f"the folder is not called {name}"
    if {path.name for path in case.folder.glob("*.cwk")} != FILES.get(case.verdict):
        yield f"its files are not those of a row that is {case.verdict}"
    if case.verdict == "caught" and not (case.codes and case.lines):
        yield "case.toml does not say with which codes and at which lines the fault is caught"
    if case.verdict == "open" and not CONSTRUCTS & set(re.findall(r"\w+", case.reason)):
        yield "its reason names no construct of the language"
    if case.verdict == "harness" and not case.reason:
        yield "case.toml gives no reason"


def _missed(case: Case, found: Sequence[Diagnostic]) -> Iterator[str]:
    """What should be said of the faulty file and is not."""
    named = [each for each in found if each.code in case.codes]
    missing = [code for code in case.codes if code not in {each.code for each in named}]
    if missing:
        yield f"nothing says {', '.join(missing)}"
        return
    lines = {line for each in named for line in _lines(each, "faulty.cwk")}
    unmarked = [line for line in case.lines if line not in lines]
    if unmarked:
        yield f"{', '.join(case.codes)} points at {sorted(lines)}, not at {unmarked}"


def _lines(diagnostic: Diagnostic, name: str) -> Iterator[int]:
    """The lines of a file that a diagnostic marks: its own, and those of its labels."""
    for span in (diagnostic.span, *(label.span for label in diagnostic.related)):
        if span.source.name.endswith(name):
            last, _ = span.source.position(max(span.start, span.end - 1))
            yield from range(span.line, last + 1)


def _alarms(path: Path) -> Iterator[str]:
    """What is said of a file of which nothing should be."""
    for each in said_of(path):
        yield f"false alarm {each.code} at {path.name}:{each.span.line}: {each.message}"


def false_alarms() -> dict[Path, list[str]]:
    """What is said of the files in `GOOD`, each built by itself."""
    paths = (path for folder in GOOD for path in sorted((ROOT / folder).glob("*.cwk")))
    return {path: list(_alarms(path)) for path in paths}


# ---------------------------------------------------------------------------- the table


def main() -> int:
    """Prints the table of the rows; 1 when one of them is not what it must be, or a good file is not clean."""
    results = [examine(case) for case in cases()]
    print("\n".join(table([HEADS, *map(_row, results)])))
    alarms = false_alarms()
    for line in _summary(results, alarms):
        print(line)
    return int(any(result.misses for result in results) or any(alarms.values()))


def _row(result: Result) -> tuple[str, ...]:
    case = result.case
    verdict = f"caught by {', '.join(case.codes)}" if case.verdict == "caught" else case.verdict
    shown = f"MISSED: {'; '.join(result.misses)}" if result.misses else case.reason
    return case.row, case.kind, verdict, " ".join(result.seen), shown


def _summary(results: Sequence[Result], alarms: dict[Path, list[str]]) -> Iterator[str]:
    counts = Counter("missed" if result.misses else result.case.verdict for result in results)
    yield f"\n{len(results)} rows: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    twins = sum(result.case.verdict in ("caught", "accepted") for result in results)
    yield f"good files: {len(alarms)} examples, standard services and others, {twins} repaired or accepted"
    said = [f"  {path.relative_to(ROOT)}: {line}" for path, lines in alarms.items() for line in lines]
    said += [f"  {r.case.folder.name}: {miss}" for r in results for miss in r.misses if miss.startswith("false alarm")]
    yield f"false alarms: {len(said)}"
    yield from said


if __name__ == "__main__":
    sys.exit(main())
