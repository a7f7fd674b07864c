"""Commands whose outcome is remembered: as long as nothing that was read has changed, nothing is done again.

What it takes to know that is the files' texts. The compiler proper is imported only where there is work for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic
from cwkc.inputs import Digests, Reader, Recorded, common_folder, identity
from cwkc.syntax.reader import read
from cwkc.workshop import Workshop

if TYPE_CHECKING:
    from coworkdsl.files import Content
    from cwkc.meaning.families import Sampling
    from cwkc.prove import Proof

Tell = Callable[[str], None]

PASSING = frozenset({"E013", "E439"})
"""Codes of what says nothing about the files: it is not remembered."""


class Options(NamedTuple):
    """What decides the result besides the files. `budget`: the solver's steps for each question, None for as many as
    usual; at most so many `members` of each family are built, which the `seed` chooses."""

    budget: int | None = None
    members: int = 200
    seed: int = 0

    @property
    def understood(self) -> tuple[int | None, Sampling]:
        """As the driver takes them."""
        from cwkc.meaning.families import Sampling

        return self.budget, Sampling(self.members, self.seed)


@frozen(eq=False)
class Result:
    """`theorems`: of each task, by name, those of its proof.json. `files`: the pack's; None where something is wrong,
    and where no pack was asked for."""

    diagnostics: tuple[Diagnostic, ...]
    theorems: Mapping[str, Sequence[Mapping[str, Any]]] = field(factory=dict)
    files: Mapping[str, Content] | None = None


def check(paths: Sequence[Path], options: Options, workshop: Workshop, tell: Tell, reader: Reader = read) -> Result:
    """As `driver.check` does."""

    def work(inputs: Recorded) -> Result:
        from cwkc import driver

        checked = driver.check(paths, tell, *options.understood, inputs, inputs.content, workshop)
        return Result(checked.diagnostics, _theorems(checked.proofs))

    return _remembered(("check", *options), paths, workshop, reader, work)


def build(paths: Sequence[Path], options: Options, workshop: Workshop, tell: Tell, reader: Reader = read) -> Result:
    """As `driver.build` does."""

    def work(inputs: Recorded) -> Result:
        from cwkc import driver

        built = driver.build(paths, tell, *options.understood, inputs, inputs.content, workshop)
        return Result(built.diagnostics, _theorems(built.proofs), built.files)

    return _remembered(("build", *options), paths, workshop, reader, work)


def _theorems(proofs: Mapping[str, Proof]) -> dict[str, Any]:
    return {name: proof.to_json()["theorems"] for name, proof in proofs.items()}


def _remembered(
    command: tuple[object, ...],
    paths: Sequence[Path],
    workshop: Workshop,
    reader: Reader,
    work: Callable[[Recorded], Result],
) -> Result:
    """What is remembered of a command on these files, else what `work` makes of them. The command is remembered with
    everything that was read for it, since a file may use others."""
    inputs, store = Recorded(reader), workshop.store
    if store is None:
        return work(inputs)
    address = _address(command, paths, inputs)
    kept: tuple[Digests, Result] | None = store.get(address)
    if kept is not None and inputs.finds_again(kept[0]):
        return kept[1]
    inputs = Recorded(reader)
    result = work(inputs)
    if inputs.is_complete and PASSING.isdisjoint(each.code for each in result.diagnostics):
        store.put(address, (inputs.digests(), result))
    store.trim()
    return result


def _address(command: tuple[object, ...], paths: Sequence[Path], inputs: Recorded) -> str:
    from cwkc.cache import digest_of, fingerprint

    root = common_folder(paths)
    for path in paths:
        inputs(path, path.as_posix())
    names = [(path.as_posix(), identity(path, root)) for path in paths]
    return digest_of(fingerprint(), command, names, inputs.digests())
