"""Faults put into emitted graders and services, one at a time, and whether the rehearsal notices them.

    python benchmarks/fault_injection.py [COUNT] [SEED]

The examples are built; then one place of an emitted file is changed, such as a check left out, a comparison turned
round or another field read, and the task is rehearsed with the witness of its proof. A fault is noticed when the
rehearsal fails or reports something: of the examples as they are it reports nothing. Evidence is left alone, as no
score depends on it. Prints what went unnoticed, place by place, and the share that was noticed.

What went unnoticed must be without effect, and that is either worked out from the file itself (`is_dead`: a constant
that nothing in the module reads) or argued in EQUIVALENT, by the task, the kind and what stood and stands there. The
exit status is 1 when a fault is neither noticed nor argued away.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random

from attrs import frozen

from coworkdsl.files import Content
from cwkc import driver
from cwkc.meaning import typed
from cwkc.prove import Proof
from cwkc.rehearse import EmittedCodeError, rehearse

EXAMPLES = Path(__file__).parent.parent / "examples"
COUNT, SEED = 100, 1

Files = Mapping[str, Content]
Make = Callable[[ast.AST], ast.AST]


@frozen
class Subject:
    """A task as it was built."""

    task: typed.Task
    proof: Proof
    files: Files


@frozen
class Fault:
    """What was done in which place of a file, and the file's text with it. `assigned`: the name of the module in
    whose value it was done, if it was in one."""

    kind: str
    path: str
    before: str
    after: str
    text: str
    assigned: str | None


def subjects(names: str = "*") -> list[Subject]:
    """The tasks of the examples that are built without a word."""
    found = []
    for path in sorted(EXAMPLES.rglob(f"{names}.cwk")):
        built = driver.build([path])
        if built.files is not None and not built.diagnostics:
            found += [Subject(task, built.proofs[task.name], built.files) for task in built.tasks]
    return found


def is_noticed(subject: Subject, fault: Fault) -> bool:
    files, proof = {**subject.files, fault.path: fault.text}, subject.proof
    try:
        return bool(rehearse(subject.task, files, proof.witness, proof.violations).diagnostics)
    except EmittedCodeError:
        return True


def sample(subjects: list[Subject], count: int, seed: int) -> list[tuple[Subject, Fault]]:
    """So many faults, in turns of the tasks, half of them in services, and within these evenly over the kinds."""
    random = Random(seed)
    chosen: list[tuple[Subject, Fault]] = []
    while len(chosen) < count:
        subject = subjects[len(chosen) % len(subjects)]
        in_service = len(chosen) // len(subjects) % 2 == 1
        by_kind: dict[str, list[Fault]] = {}
        for fault in service_faults(subject) if in_service else grader_faults(subject):
            if all(fault.text != other.text for _, other in chosen):
                by_kind.setdefault(fault.kind, []).append(fault)
        chosen.append((subject, random.choice(by_kind[random.choice(sorted(by_kind))])))
    return chosen


# ---------------------------------------------------------------------------- places


def grader_faults(subject: Subject) -> Iterator[Fault]:
    path = f"tasks/{subject.task.name}/grader.py"
    yield from _faults(path, subject, lambda statement: not _is_evidence(statement))


def service_faults(subject: Subject) -> Iterator[Fault]:
    """In the tools that the task offers."""
    for service in sorted({tool.name.partition(".")[0] for tool in subject.task.tools}):
        names = {tool.name.partition(".")[2] for tool in subject.task.tools if tool.name.startswith(f"{service}.")}

        def is_offered(statement: ast.stmt, names: set[str] = names) -> bool:
            return isinstance(statement, ast.FunctionDef) and statement.name.rstrip("_") in names

        yield from _faults(f"services/{service}.py", subject, is_offered)


def _is_evidence(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name.endswith("_evidence")


def _faults(path: str, subject: Subject, is_chosen: Callable[[ast.stmt], bool]) -> Iterator[Fault]:
    module = ast.parse(subject.files[path])
    names = _field_names(subject.task)
    for place, statement in enumerate(module.body):
        if not is_chosen(statement) or isinstance(statement, ast.Expr | ast.ImportFrom):
            continue
        for index, node in enumerate(ast.walk(statement)):
            for kind, make in _changes(node, names):
                body = list(module.body)
                body[place], before, after = _changed(statement, index, make)
                yield Fault(kind, path, before, after, ast.unparse(ast.Module(body, [])), _assigned(statement))


def _assigned(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _changed(statement: ast.stmt, index: int, make: Make) -> tuple[ast.stmt, str, str]:
    """The statement with one node changed, and that node before and after."""
    copy = deepcopy(statement)
    node = list(ast.walk(copy))[index]
    before = ast.unparse(node)
    other = ast.fix_missing_locations(ast.copy_location(make(node), node))

    class Put(ast.NodeTransformer):
        def visit(self, each: ast.AST) -> ast.AST:
            return other if each is node else self.generic_visit(each)

    changed = Put().visit(copy)
    assert isinstance(changed, ast.stmt)
    return changed, before, ast.unparse(other)


def _field_names(task: typed.Task) -> dict[str, tuple[str, ...]]:
    """By a field's name, the others of its type in its record."""
    found: dict[str, list[str]] = {}
    for record in task.records.values():
        for one in record.fields.values():
            others = (other.name for other in record.fields.values() if other is not one and other.type == one.type)
            found.setdefault(one.name, []).extend(others)
    return {name: tuple(dict.fromkeys(others)) for name, others in found.items()}


# ---------------------------------------------------------------------------- changes

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RENAMED = {
    "eq": "ne",
    "ne": "eq",
    "lt": "ge",
    "le": "gt",
    "gt": "le",
    "ge": "lt",
    "eq_ignoring_case": "ne_ignoring_case",
    "ne_ignoring_case": "eq_ignoring_case",
    "called": "tried",
    "tried": "called",
    "add": "sub",
    "mul": "div",
    "any": "all",
    "all": "any",
}
TABLES = {"CHECKS", "REQUIREMENTS", "FORBIDS"}


def _changes(node: ast.AST, names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Make]]:
    """What can be wrong in a place, and what makes it wrong."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=rows)) if name in TABLES:
            for row in range(len(rows)):
                yield "rule left out", _without_row(row)
        case ast.Compare(ops=[operator]):
            turned = TURNED[type(operator)]()
            yield "comparison turned round", lambda node: _evolved(node, ops=[turned])
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in RENAMED:
            key = "attr" if isinstance(node, ast.Attribute) else "id"
            yield "other function", lambda node: _evolved(node, **{key: RENAMED[name]})
        case ast.BoolOp(op=joining, values=values):
            other = ast.Or() if isinstance(joining, ast.And) else ast.And()
            yield "`and` for `or`", lambda node: _evolved(node, op=other)
            for part in range(len(values)):
                yield "condition left out", _without_part(part)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "`not` left out", lambda _: operand
        case ast.Constant(value=str(word)) if names.get(word):
            yield "other field", lambda node: ast.Constant(names[word][0])
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield "other number", lambda node: ast.Constant(number + 1)
        case ast.Constant(value=str(word)) if word[-1:].isdigit() and " " not in word and ".cwk:" not in word:
            yield "other value", lambda node: ast.Constant(word[:-1] + ("0" if word[-1] != "0" else "1"))
        case ast.If(body=[ast.Raise()]) | ast.Expr(value=ast.Call()):
            yield "statement left out", lambda node: ast.Pass()


def _evolved(node: ast.AST, **changed: object) -> ast.AST:
    copy = deepcopy(node)
    for name, value in changed.items():
        setattr(copy, name, value)
    return copy


def _without_row(row: int) -> Make:
    def make(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Assign)
        assert isinstance(node.value, ast.Tuple)
        rows = node.value.elts
        return _evolved(node, value=ast.Tuple([*rows[:row], *rows[row + 1 :]], ast.Load()))

    return make


def _without_part(part: int) -> Make:
    def make(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.BoolOp)
        rest = [*node.values[:part], *node.values[part + 1 :]]
        return rest[0] if len(rest) == 1 else _evolved(node, values=rest)

    return make


# ---------------------------------------------------------------------------- faults without effect

EQUIVALENT: Mapping[tuple[str, str, str, str], str] = {}
"""By file, kind, the text before and after: why no score and no answer can depend on it."""


def argument(fault: Fault) -> str | None:
    """Why a fault makes no difference; None when nothing says so."""
    if is_dead(fault):
        return "a constant that nothing in its module reads"
    return EQUIVALENT.get((fault.path, fault.kind, _line(fault.before), _line(fault.after)))


def is_dead(fault: Fault) -> bool:
    """Whether all that the fault changed is what a name of the module stands for that is read nowhere in it."""
    module = ast.parse(fault.text)
    read = {node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return fault.assigned is not None and fault.assigned not in read


def _line(text: str) -> str:
    return " ".join(text.split())


def main(count: int, seed: int) -> int:
    noticed: Counter[str] = Counter()
    made: Counter[str] = Counter()
    equivalent: Counter[str] = Counter()
    for subject, fault in sample(subjects(), count, seed):
        where = "grader" if "/grader" in fault.path else "service"
        made[where] += 1
        if is_noticed(subject, fault):
            noticed[where] += 1
            continue
        why = argument(fault)
        equivalent[where] += why is not None
        before, after = (_line(text)[:150] for text in (fault.before, fault.after))
        print(f"{subject.task.name}: {fault.path}: {fault.kind}\n    {before}\n    {after}")
        print(f"    {f'without effect: {why}' if why else 'NOT NOTICED'}")
    for where, total in made.items():
        print(f"{where}s: {noticed[where]} of {total} faults noticed, {equivalent[where]} without effect")
    return int(made.total() > noticed.total() + equivalent.total())


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [COUNT, SEED][len(given) :])))
