"""A pack's files: what stands in each of them, by relative path."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from coworkdsl.files import Content
from coworkdsl.values import to_stored
from cwkc import __version__
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.emit.assets import asset_entry
from cwkc.emit.graders import emit_grader
from cwkc.emit.guarantees import guarantees_of
from cwkc.emit.nulls import Guarantees
from cwkc.emit.schemas import tool_schema
from cwkc.emit.services import emit_service
from cwkc.emit.users import emit_user
from cwkc.emit.worlds import world_document
from cwkc.meaning import typed
from cwkc.meaning.contracts import contract_words

FORMAT = 1
LANGUAGE = 1
"""The versions of the files' form and of the language."""

Files = Mapping[str, Content]


@frozen(eq=False)
class _Used:
    """A service that tasks offer tools of, and the SHA-256 of its source."""

    service: typed.ServiceDef
    digest: str


@frozen(eq=False)
class FamilyFiles:
    """What a pack holds of a family: `entry` in its index, and `files`. `first` is the first member."""

    first: typed.Task
    entry: Mapping[str, Any]
    files: Files


def emit_pack(
    tasks: Sequence[typed.Task], proofs: Mapping[str, Mapping[str, Any]], families: Sequence[FamilyFiles] = ()
) -> Files:
    """Every file of the pack of these tasks, by relative path. `proofs`: of each proved task, by name, its proof.

    The services of one name must be one service: see `service_clashes`.
    """
    everything = (*tasks, *(family.first for family in families))
    files: dict[str, Content] = {"pack.json": json_text(_index(tasks, families))}
    files |= emit_services(everything)
    for task in tasks:
        files |= emit_task(task, proofs.get(task.name))
    for family in families:
        files |= family.files
    return files


def emit_services(tasks: Sequence[typed.Task]) -> dict[str, str]:
    """The modules of the services that the tasks offer tools of."""
    used = _services(tasks)
    guarantees = guarantees_of(
        [tool for each in used.values() for tool in each.service.tools.values()],
        {name: store for task in tasks for name, store in task.stores.items()},
        {name: record for task in tasks for each in task.services.values() for name, record in each.records.items()},
    )
    guarantees = guarantees.within(_with_events(task) for task in tasks if task.events)
    return {
        f"services/{name}.py": emit_service(each.service, guarantees, __version__, each.digest)
        for name, each in used.items()
    }


def _with_events(task: typed.Task) -> Guarantees:
    """What neither the services of a task nor its events can break."""
    tools = [tool for service in task.services.values() for tool in service.tools.values()]
    events = [event.as_tool for event in task.events.values()]
    truths = {name: truth.value for name, truth in task.truths.items()}
    return guarantees_of([*tools, *events], task.stores, task.records, truths)


def emit_shared(task: typed.Task, folder: str, request: Any, kind: str) -> dict[str, Content]:
    """The files of a task but its proof; or of a family, whose first member has holes. `request`: what is told."""
    document = _task_document(task, request)
    files: dict[str, Content] = {
        f"{folder}/task.json": json_text(document),
        f"{folder}/world.json": json_text({"format": FORMAT, **world_document(task)}),
        f"{folder}/grader.py": emit_grader(task, __version__, kind),
        **{f"{folder}/assets/{asset.name}": asset.content for asset in task.assets},
    }
    if task.user or task.events:
        files[f"{folder}/user.py"] = emit_user(task, __version__)
    if task.faults:
        faults = [_fault(fault) for fault in task.faults]
        files[f"{folder}/faults.json"] = json_text({"format": FORMAT, "faults": faults})
    return files


def emit_task(task: typed.Task, proof: Mapping[str, Any] | None) -> dict[str, Content]:
    """The files of one task; without a proof, all but proof.json."""
    files = emit_shared(task, f"tasks/{task.name}", told(task), "task")
    return files if proof is None else {**files, **emit_proofs({task.name: proof})}


def emit_proofs(proofs: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The proofs of tasks, by name, each in its file."""
    return {f"tasks/{task}/proof.json": json_text(proof) for task, proof in proofs.items()}


def service_clashes(tasks: Iterable[typed.Task]) -> tuple[Diagnostic, ...]:
    """An error for each service whose name belongs to another service of the pack already."""
    first: dict[str, typed.ServiceDef] = {}
    clashes: dict[tuple[str, str], Diagnostic] = {}
    for task in tasks:
        for name in _offered(task):
            service = task.services[name]
            other = first.setdefault(name, service)
            if other.span.source.identity != service.span.source.identity:
                related = (Label(other.span, "the other one is declared here"),)
                clash = report("E431", service.span, service=name, related=related)
                clashes[name, service.span.source.identity] = clash
    return tuple(clashes.values())


def json_text(document: Any) -> str:
    """A document as the pack's files hold it."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


# ---------------------------------------------------------------------------- documents


def _services(tasks: Iterable[typed.Task]) -> dict[str, _Used]:
    used: dict[str, _Used] = {}
    for task in tasks:
        for name in _offered(task):
            service = task.services[name]
            used.setdefault(name, _Used(service, task.sources[service.span.source.identity]))
    return used


def _offered(task: typed.Task) -> list[str]:
    """The services that the task offers tools of, in the order of the offer."""
    return list(dict.fromkeys(tool.name.rpartition(".")[0] for tool in task.tools))


def _index(tasks: Sequence[typed.Task], families: Sequence[FamilyFiles]) -> dict[str, Any]:
    everything = (*tasks, *(family.first for family in families))
    entries = {"families": [family.entry for family in families]} if families else {}
    return {
        "format": FORMAT,
        "language": LANGUAGE,
        "compiler": __version__,
        "sources": {name: digest for task in everything for name, digest in task.sources.items()},
        "services": list(_services(everything)),
        "tasks": [entry(task) for task in tasks],
        **entries,
    }


def entry(task: typed.Task) -> dict[str, Any]:
    """What the index says of a task."""
    counts = {
        "records": len(task.rows),
        "tools": len(task.tools),
        "checks": len(task.checks),
        "judges": len(task.judges),
        "requirements": len(task.requirements),
        "forbids": len(task.forbids),
    }
    return {
        "id": task.name,
        "title": task.title,
        "category": task.category,
        "scenario": task.scenario,
        "difficulty": task.difficulty,
        "language": task.language,
        "capabilities": list(task.capabilities),
        "counts": counts,
    }


def _task_document(task: typed.Task, request: Any) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": task.name,
        "title": task.title,
        "request": request,
        "tools": [tool_schema(tool) for tool in task.tools],
        "limits": dict(task.limits),
        "services": _offered(task),
        **({"assets": list(map(asset_entry, task.assets))} if task.assets else {}),
    }


def _fault(fault: typed.FaultDef) -> dict[str, Any]:
    schedule = {"call": fault.call} if fault.rate is None else {"rate": to_stored(fault.rate)}
    return {"tool": fault.tool, "kind": fault.kind, **schedule}


def told(task: typed.Task) -> str:
    """What the agent is told: the request and, below it, what is attached, what it is to deliver and the policies."""
    attached = "\n".join(f"Attached: {asset.name}" for asset in task.assets)
    contracts = map(contract_words, task.deliverables.values())
    return "\n\n".join(filter(None, (task.request.strip(), attached, *contracts, "\n".join(task.policies))))
