"""Texts stand out from what they stand on, in light and in dark (WCAG 2, level AA)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cwkc.view

CSS = (Path(cwkc.view.__file__).parent / "static" / "view.css").read_text(encoding="utf-8")
COLOURS = {name: pair for name, *pair in re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", CSS)}
TEXTS = ("text", "quiet", "link", "good", "bad", "unsure")
GROUNDS = ("page", "panel")


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
class TestContrast:
    @pytest.mark.parametrize("ground", GROUNDS)
    @pytest.mark.parametrize("text", TEXTS)
    def test_of_texts(self, scheme: int, text: str, ground: str) -> None:
        assert contrast(COLOURS[text][scheme], COLOURS[ground][scheme]) >= 4.5

    def test_of_bars(self, scheme: int) -> None:
        assert contrast(COLOURS["fill"][scheme], COLOURS["track"][scheme]) >= 3
        assert contrast(COLOURS["unsure"][scheme], COLOURS["track"][scheme]) >= 3


def test_rules_name_colours_that_were_compared() -> None:
    grounds = set(re.findall(r"background(?:-color)?: var\(--(\w+)\)", CSS)) - {"track", "fill", "quiet"}
    assert set(re.findall(r"(?<!-)color: var\(--(\w+)\)", CSS)) <= {*TEXTS, "line"}
    assert grounds <= set(GROUNDS)
    assert not re.search(r"#[0-9a-f]{3,8}", re.sub(r"light-dark\([^)]*\)", "", CSS))
