"""From a TOML file to a recipe: every mistake is told with its key and what is allowed there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import GenericAlias
from typing import Any, Literal, get_args, get_origin

from attrs import evolve, fields, has
from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError, transform_error
from cattrs.gen import make_dict_structure_fn, override

from cwkc.meaning.near import did_you_mean
from cwktrain.curation.options import Options, read_threshold
from cwktrain.distillation.options import DistillationOptions
from cwktrain.preferences import MEASURES
from cwktrain.recipes.recipe import BASE, TRAININGS, DistillationPart, PackPart, Recipe

SHARED = {"held_out": (PackPart, "in `[pack]`"), "student": (Recipe, "at the top")}
"""Fields of options that a recipe says once: of what, and where."""


_MISSING = re.compile(r"(`\w+`) is missing")


class RecipeError(Exception):
    """A recipe cannot be followed; the message has a line for each mistake."""


def read_recipe(path: Path) -> Recipe:
    """The recipe, whose paths are relative to its file. Raises RecipeError."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecipeError(f"`{path}` cannot be read: {error}") from error
    try:
        recipe = _converter(path.parent).structure(document, Recipe)
    except ClassValidationError as error:
        raise RecipeError(_told(path, _distinct(transform_error(error, "", _in_words)))) from error
    recipe = _shared(recipe)
    if mistakes := [*_mistakes(recipe)]:
        raise RecipeError(_told(path, mistakes))
    return recipe


def _distinct(mistakes: list[str]) -> list[str]:
    """Without those of keys that are missing only because they are misspelt."""
    told = "\n".join(mistakes)
    missing = ((each, _MISSING.match(each)) for each in mistakes)
    return [each for each, name in missing if name is None or f"did you mean {name[1]}?" not in told]


def _told(path: Path, mistakes: Iterable[str]) -> str:
    """`transform_error` writes the key behind the message."""
    lines = []
    for mistake in mistakes:
        message, _, key = mistake.rpartition(" @ ")
        lines.append(f"{path}: `{key.lstrip('.')}`: {message}" if key else f"{path}: {message}")
    return "\n".join(lines)


def _shared(recipe: Recipe) -> Recipe:
    """Everything that trains knows what is held out, and curation who chooses."""
    share = recipe.pack.held_out
    parts = {name: getattr(recipe, name) for name in ("curation", "sft", "rl")}
    told = {name: evolve(part, held_out=share) for name, part in parts.items() if part is not None}
    if recipe.distillation is not None:
        options = evolve(recipe.distillation.options, held_out=share)
        told["distillation"] = evolve(recipe.distillation, options=options)
    if recipe.student is not None and recipe.curation is not None and recipe.curation.select is not None:
        told["curation"] = evolve(told["curation"], student=str(recipe.student))
    return evolve(recipe, **told)


# ---------------------------------------------------------------------------- what does not go together


def _mistakes(recipe: Recipe) -> Iterator[str]:
    trainings = [name for name in TRAININGS if getattr(recipe, name) is not None]
    if recipe.curation is not None and not recipe.rollouts:
        yield "there are no runs to curate: say `[[rollouts]]` @ .curation"
    if recipe.curation is not None and recipe.curation.select not in (None, *MEASURES):
        yield f"this is one of {', '.join(f'`{name}`' for name in MEASURES)} @ .curation.select"
    elif recipe.curation is not None and recipe.curation.select is not None and recipe.student is None:
        yield "a student chooses the runs: say `student`, its folder @ .curation.select"
    if recipe.sft is not None and recipe.curation is None:
        yield "there is no data to train on: say `[curation]` @ .sft"
    if recipe.rl is not None and recipe.distillation is not None:
        yield "a run has `rl` or `distillation`, not both @ .distillation"
    models = {BASE, *trainings} if recipe.student is not None else set()
    if trainings and not models:
        yield f"`{trainings[0]}` needs a model: say `student`, its folder @ "
    for key, agent, known in _agents(recipe, models):
        if agent in {BASE, *TRAININGS} and agent not in known:
            yield f"this recipe makes no `{agent}` before it is asked for @ {key}"
    yield from _missing_paths(recipe)


def _agents(recipe: Recipe, models: set[str]) -> Iterator[tuple[str, str, set[str]]]:
    """Each agent with its key, and the models that there are by then."""
    for place, part in enumerate(recipe.rollouts):
        yield f".rollouts[{place}].agent", part.agent, models & {BASE}
    for place, agent in enumerate(recipe.evaluation.agents if recipe.evaluation else ()):
        yield f".evaluation.agents[{place}]", agent, models


def _missing_paths(recipe: Recipe) -> Iterator[str]:
    for place, source in enumerate(recipe.pack.sources):
        if not source.exists():
            yield f"there is no `{source}` @ .pack.sources[{place}]"
    folders = {".pack.built": recipe.pack.built, ".student": recipe.student}
    if recipe.distillation is not None:
        folders[".distillation.teacher"] = recipe.distillation.teacher
    for key, folder in folders.items():
        if folder is not None and not folder.is_dir():
            yield f"there is no folder `{folder}` @ {key}"


# ---------------------------------------------------------------------------- values


def _converter(folder: Path) -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_factory(_is_tuple, lambda kind: _listed(converter, kind))
    converter.register_structure_hook_factory(_is_literal, lambda kind: _choice)
    converter.register_structure_hook_factory(has, lambda kind: _table(converter, kind))
    converter.register_structure_hook(bool, _exactly(bool, "true or false"))
    converter.register_structure_hook(int, _exactly(int, "a whole number"))
    converter.register_structure_hook(float, _exactly((int, float), "a number"))
    converter.register_structure_hook(str, _exactly(str, "a text"))
    text = converter.get_structure_hook(str)
    converter.register_structure_hook(Path, lambda value, kind: folder / Path(text(value, str)).expanduser())
    converter.register_structure_hook(DistillationPart, lambda value, kind: _distillation(converter, value))
    return converter


def _exactly(kind: type | tuple[type, ...], words: str) -> Callable[[Any, Any], Any]:
    """Texts are not made numbers, nor numbers truths."""

    def check(value: Any, _: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"this is {words}; got {_shown(value)}")
        return value

    return check


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _choice(value: Any, kind: Any) -> Any:
    allowed = get_args(kind)
    if value not in allowed:
        choices = ", ".join(_shown(each) for each in allowed)
        raise ValueError(f"this is one of {choices}; got {_shown(value)}")
    return value


def _listed(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    elements: Any = GenericAlias(list, get_args(kind)[:1])

    def structure(value: Any, _: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"this is a list; got {_shown(value)}")
        return tuple(converter.structure(value, elements))

    return structure


def _table(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    changed: dict[str, Any] = {name: override(omit=True) for name in _said_elsewhere(kind)}
    if kind is Options:
        changed["threshold"] = override(struct_hook=_threshold)
        changed["by_category"] = override(struct_hook=_thresholds)
    structure = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True, **changed)

    def checked(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"this is a table; got {_shown(value)}")
        return structure(value, kind)

    return checked


def _said_elsewhere(kind: type) -> set[str]:
    return {field.name for field in fields(kind) if field.name in SHARED and kind is not SHARED[field.name][0]}


def _threshold(value: Any, _: Any) -> float:
    return read_threshold(str(value))


def _thresholds(value: Any, _: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError(f"this is a table from categories to thresholds; got {_shown(value)}")
    return {category: read_threshold(str(threshold)) for category, threshold in value.items()}


def _distillation(converter: Converter, value: Any) -> DistillationPart:
    """The table has the options beside the teacher."""
    if not isinstance(value, dict) or not isinstance(value.get("teacher"), str):
        raise ValueError("this is a table with a `teacher`, the folder of a model")
    others = {name: each for name, each in value.items() if name != "teacher"}
    return DistillationPart(
        teacher=converter.structure(value["teacher"], Path), options=converter.structure(others, DistillationOptions)
    )


# ---------------------------------------------------------------------------- mistakes


def _in_words(error: BaseException, kind: type | None) -> str:
    if isinstance(error, ForbiddenExtraKeysError):
        return "; ".join(_unknown(name, error.cl) for name in sorted(error.extra_fields))
    if isinstance(error, KeyError):
        return f"`{error.args[0]}` is missing"
    return str(error)


def _unknown(name: str, kind: type) -> str:
    """An unknown key, and the one that was probably meant."""
    if name in SHARED:
        return f"`{name}` is said once, {SHARED[name][1]}"
    said = _said_elsewhere(kind)
    help = did_you_mean(name, (field.name for field in fields(kind) if field.name not in said))
    return f"there is no key `{name}`" + (f"; {help}" if help else "")
