"""Pages read as a browser would: elements with their attributes, texts and places."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from attrs import field, frozen

VOID = {"meta", "link", "img", "input", "br"}


@frozen(eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, *tags: str) -> list[Element]:
        return [each for each in self.walk() if each.tag in tags]

    def having(self, word: str) -> list[Element]:
        """The elements of a class."""
        return [each for each in self.walk() if word in each.attributes.get("class", "").split()]

    @property
    def text(self) -> str:
        """With white space as it is shown: one blank at most."""
        return " ".join("".join(child if isinstance(child, str) else child.raw for child in self.children).split())

    @property
    def raw(self) -> str:
        return "".join(child if isinstance(child, str) else child.raw for child in self.children) + " "


class _Reader(HTMLParser):
    """Refuses what is not balanced: a browser would mend it in silence."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> says an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(path: Path) -> Element:
    """The root of a page."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    assert len(reader.open) == 1, f"{path}: <{reader.open[-1].tag}> is not closed"
    return reader.open[0]
