"""One task of a pack: what the agent is told, the initial world, the tools, the grader; each read when first used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from coworkdsl.attachments import Attachment, read_attachment
from coworkdsl.faults import Fault
from coworkdsl.files import Files, PackError
from coworkdsl.judging import Judgement
from coworkdsl.run import Run
from coworkdsl.score import Grader, Score, grade, grader_of
from coworkdsl.script import NO_SCRIPT, Script, script_of
from coworkdsl.tools import Result, Signature
from coworkdsl.world import Base


class OfferedTool:
    """A tool ready to be called. `name` is qualified: `helpdesk.get_ticket`."""

    __slots__ = ("function", "name", "signature")

    def __init__(self, name: str, function: Callable[..., Result], signature: Signature) -> None:
        self.name = name
        self.function = function
        self.signature = signature


class Services:
    """The services of a pack by name, each loaded once for all tasks."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._loaded: dict[str, dict[str, OfferedTool]] = {}

    def tools(self, service: str) -> Mapping[str, OfferedTool]:
        """The tools of a service by the names that agents call. Raises PackError."""
        if service not in self._loaded:
            self._loaded[service] = self._load(service)
        return self._loaded[service]

    def _load(self, service: str) -> dict[str, OfferedTool]:
        path = f"services/{service}.py"
        module = self._files.module(path)
        if not isinstance(module.get("TOOLS"), dict):
            raise PackError(f"{path}: defines no TOOLS")
        tools = {}
        for name, tool in module["TOOLS"].items():
            try:
                signature = Signature(tool.parameters)
            except ValueError as error:
                raise PackError(f"{path}: tool `{name}`: {error}") from error
            tools[f"{service}_{name}"] = OfferedTool(f"{service}.{name}", tool.function, signature)
        return tools


class Task:
    """`id` and `title` are known at once; the rest is read when first used and may raise PackError."""

    def __init__(self, files: Files, services: Services, id: str, title: str) -> None:
        self.id = id
        self.title = title
        self._files = files
        self._services = services

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        fields = {"request": str, "tools": list, "limits": dict, "services": list}
        return self._files.document(self._path("task.json"), fields)

    def _path(self, name: str) -> str:
        return f"tasks/{self.id}/{name}"

    @cached_property
    def request(self) -> str:
        """What the agent is told."""
        request: str = self._document["request"]
        return request

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that the agent is given along with the request."""
        entries = self._document.get("assets", [])
        if not isinstance(entries, list):
            raise PackError(f"{self._path('task.json')}: `assets` must be an array")
        folder = self._path("").removesuffix("/")
        return tuple(read_attachment(self._files, folder, entry) for entry in entries)

    @cached_property
    def limits(self) -> Mapping[str, int]:
        """At most so many `turns`, `calls` and `seconds`; the last is for the runner to keep."""
        limits = self._document["limits"]
        if not all(isinstance(limit, int) for limit in limits.values()):
            raise PackError(f"{self._path('task.json')}: `limits` must be whole numbers")
        return dict(limits)

    @cached_property
    def _tools_text(self) -> str:
        return json.dumps(self._document["tools"])

    def tools(self) -> list[dict[str, Any]]:
        """The tools as JSON Schema, in the function form of chat templates; the caller's own to change."""
        tools: list[dict[str, Any]] = json.loads(self._tools_text)
        return tools

    @cached_property
    def offered(self) -> Mapping[str, OfferedTool]:
        """What may be called, by name, in the order of the offer."""
        known: dict[str, OfferedTool] = {}
        for service in self._document["services"]:
            known.update(self._services.tools(service))
        try:
            return {name: known[name] for name in (tool["function"]["name"] for tool in self._document["tools"])}
        except KeyError as error:
            raise PackError(f"{self._path('task.json')}: no service has the tool {error}") from error
        except TypeError as error:
            raise PackError(f"{self._path('task.json')}: `tools` must hold function tools") from error

    @cached_property
    def base(self) -> Base:
        """The initial state, shared by all runs."""
        path = self._path("world.json")
        document = self._files.document(path, {"now": str, "records": dict, "stores": dict, "rows": dict})
        try:
            return Base.from_json(document)
        except ValueError as error:
            raise PackError(f"{path}: {error}") from error

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What is injected into runs; of a task without faults.json, nothing."""
        path = self._path("faults.json")
        if not self._files.has(path):
            return ()
        try:
            return tuple(map(Fault.from_json, self._files.document(path, {"faults": list})["faults"]))
        except ValueError as error:
            raise error if isinstance(error, PackError) else PackError(f"{path}: {error}") from error

    @cached_property
    def grader(self) -> Grader:
        """What scores a run."""
        path = self._path("grader.py")
        try:
            return grader_of(self._files.module(path))
        except KeyError as error:
            raise PackError(f"{path}: has no {error}") from error

    @cached_property
    def script(self) -> Script:
        """The user and the events."""
        path = self._path("user.py")
        if not self._files.has(path):
            return NO_SCRIPT
        try:
            return script_of(self._files.module(path))
        except KeyError as error:
            raise PackError(f"{path}: has no {error}") from error

    @cached_property
    def proof(self) -> Mapping[str, Any]:
        """The theorems with their evidence, and the witness."""
        return self._files.document(self._path("proof.json"), {"theorems": list, "witness": object, "allowed": list})

    def text(self, name: str) -> str:
        """One of the task's files, such as `grader.py`, for people to read. Raises PackError."""
        return self._files.text(self._path(name))

    def grade(self, run: Run, judgements: tuple[Judgement, ...] = ()) -> Score:
        return grade(self.grader, run, judgements)
