"""The lines of a file: statements below each other, in blocks, with the comments and the empty lines between them."""

from __future__ import annotations

from attrs import define, field, frozen
from lark import Token, Tree

from cwkc.syntax.columns import align_columns
from cwkc.syntax.comments import Gap, Words, first_word, start
from cwkc.syntax.documents import STEP, WIDTH, Document, columns, concat, space, text
from cwkc.syntax.labels import align_labels
from cwkc.syntax.layout import Written, lay_out
from cwkc.syntax.printing import Printer, without_comma
from cwkc.syntax.reading import Branch, Children

# What has a block of its own; the block of some is a branch below them.
BLOCKS = frozenset(
    {"service", "record", "world", "task", "family", "extend", "deliver", "user", "event", "plan", "grade"}
)
BRANCHED = frozenset({"data", "asset", "knows", "tool", "insert_rows", "if"})
INNER = frozenset({"rows", "facts", "block"})

# Which blocks may be on one line, if the author has them there: those of fields, and those of one statement.
OF_FIELDS = frozenset({"record", "extend", "deliver", "asset", "knows"})
OF_ONE = frozenset({"data", "tool", "insert_rows", "if", "event"})

# Before these there is an empty line, whatever the author did.
APART = frozenset({"use", "service", "world", "task", "family", "grade", "plan", "vocabulary"})


def printed(whole: Branch, words: Words) -> str:
    """The text of a file that lark read, laid out anew."""
    emitter = Emitter(Printer(words))
    version, literal, *items = whole.children
    head = Tree("version", [version, literal])
    emitter.statements([head, *items], 0)
    emitter.remarks(words.end, is_first=False)
    return _joined(emitter.lines)


@frozen
class Block:
    """The parts of an item with a block: what stands before it, its brackets and what is in it."""

    head: Children
    opening: Token
    items: Children
    closing: Token


def block_of(parts: Children) -> Block:
    """The block among the children of a rule, or at their end."""
    last: Branch = parts[-1]
    is_branch = isinstance(last, Tree) and last.data in INNER
    if is_branch:
        opening, *items, closing = last.children
        return Block(parts[:-1], opening, items, closing)
    index = next(i for i, part in enumerate(parts) if isinstance(part, Token) and part.type == "LBRACE")
    return Block(parts[:index], parts[index], parts[index + 1 : -1], last)


@define
class Emitter:
    """Lines, as they come about."""

    printer: Printer
    lines: list[Written] = field(factory=list)

    # ------------------------------------------------------------------------ statements

    def statements(self, items: Children, indentation: int) -> None:
        self.printer.led.update(start(first_word(item)) for item in items)
        align_columns(self.printer, items, indentation)
        align_labels(self.printer, items, indentation)
        for before, item in zip((None, *items), items, strict=False):
            if before is not None and _stand_apart(before, item):
                self.separate(first_word(item))
            self.lead(first_word(item), indentation, is_first=before is None)
            self.statement(item, indentation)

    def separate(self, word: Token) -> None:
        """An empty line, if there is none before a word or the comments before it."""
        gap = self.printer.words.before(word)
        if not (gap.apart or any(remark.apart for remark in gap.remarks)):
            self.lines.append(Written(""))

    def lead(self, word: Token, indentation: int, is_first: bool) -> None:
        """The comments on lines of their own before a statement, and the empty lines."""
        gap = self.printer.words.before(word)
        self.remarks(gap, is_first, indentation)
        if gap.apart and (gap.remarks or not is_first):
            self.lines.append(Written(""))

    def remarks(self, gap: Gap, is_first: bool, indentation: int = 0) -> None:
        for index, remark in enumerate(gap.remarks):
            if remark.apart and (index or not is_first):
                self.lines.append(Written(""))
            self.lines.append(Written(" " * indentation + remark.comment.text))

    def statement(self, item: Branch, indentation: int) -> None:
        if item.data not in BLOCKS and item.data not in BRANCHED:
            self.unit(self.printer(item), indentation)
            return
        flat = self.on_one_line(item)
        if flat is not None and flat.fits(indentation):
            self.unit(flat, indentation)
        elif item.data == "if":
            self.condition(item, indentation)
        else:
            block = block_of(item.children)
            self.unit(concat((self.head(block.head), self._before_block(block.opening))), indentation)
            self.body(block, indentation)
            self.unit(self.printer(block.closing), indentation)

    def unit(self, document: Document, indentation: int) -> None:
        self.lines += lay_out(document, indentation)

    def body(self, block: Block, indentation: int) -> None:
        """What is in a block, and the comments before its end."""
        inner = indentation + STEP
        self.statements(block.items, inner)
        gap = self.printer.words.before(block.closing)
        self.remarks(gap, not block.items, inner)
        self.printer.led.add(start(block.closing))

    def condition(self, item: Branch, indentation: int) -> None:
        word, condition, then, *otherwise = item.children
        block = block_of([word, condition, then])
        self.unit(concat((self.head(block.head), self._before_block(block.opening))), indentation)
        self.body(block, indentation)
        closing = self.printer(block.closing)
        if otherwise:
            second = block_of(otherwise)
            otherwise_head = concat((space(), self.head(second.head), self._before_block(second.opening)))
            self.unit(concat((closing, otherwise_head)), indentation)
            self.body(second, indentation)
            closing = self.printer(second.closing)
        self.unit(closing, indentation)

    def _before_block(self, opening: Token) -> Document:
        return concat((space(), self.printer(opening)))

    def head(self, parts: Children) -> Document:
        """What stands before a block. Round brackets in it hold parameters, after a name or after a text."""
        index = next((i for i, part in enumerate(parts) if isinstance(part, Token) and part.type == "LPAR"), None)
        if index is None:
            return self.printer.row(parts)
        end = parts.index(")")
        before = self.printer.row(parts[:index])
        after = [concat((space(), self.printer(part))) for part in parts[end + 1 :]]
        apart = space(1 if parts[index - 1].type == "STRING" else 0)
        return concat((before, apart, self.printer.parameters(parts[index : end + 1]), *after))

    # ------------------------------------------------------------------------ blocks on one line

    def on_one_line(self, item: Branch) -> Document | None:
        """An item with all that is in its block beside it, None where that is not to be."""
        if item.data not in BLOCKS and item.data not in BRANCHED:
            return self.printer(item)
        if item.data == "if":
            return self._condition_on_one_line(item)
        block = block_of(item.children)
        shown = self._block_on_one_line(item.data, block)
        return None if shown is None else concat((self.head(block.head), space(), shown))

    def _condition_on_one_line(self, item: Branch) -> Document | None:
        word, condition, then, *otherwise = item.children
        parts: list[Document] = []
        for block in (block_of([word, condition, then]), *([block_of(otherwise)] if otherwise else ())):
            shown = self._block_on_one_line("if", block)
            if shown is None:
                return None
            parts += [space(), self.head(block.head), space(), shown]
        return concat(parts[1:])

    def _block_on_one_line(self, rule: str, block: Block) -> Document | None:
        if not block.items:
            return self._empty(block)
        may_be = rule in OF_FIELDS or (rule in OF_ONE and len(block.items) == 1)
        if not may_be or self.printer.is_broken(block.items[0]):
            return None
        parts: list[Document] = []
        for item in block.items:
            shown = self._field_on_one_line(item) if rule in OF_FIELDS else self.on_one_line(item)
            if shown is None:
                return None
            parts += [text(","), space(), shown] if parts else [shown]
        closing = self.printer(block.closing)
        return concat((self.printer(block.opening), space(), *parts, space(), closing))

    def _field_on_one_line(self, item: Branch) -> Document | None:
        """A field without the comma behind it, None where there are comments around that."""
        parts, comma = without_comma(item.children)
        words = self.printer.words
        if comma is not None and (words.before(comma).has_comments or words.after(comma).beside is not None):
            return None
        return self.printer(Tree(item.data, parts))

    def _empty(self, block: Block) -> Document | None:
        gap = self.printer.words.before(block.closing)
        return None if gap.remarks or gap.beside else concat((self.printer(block.opening), self.printer(block.closing)))


def _stand_apart(before: Branch, item: Branch) -> bool:
    """Whether there is to be an empty line between two items of a file."""
    return item.data in APART and not before.data == item.data == "use"


# ---------------------------------------------------------------------------- text


def _joined(lines: list[Written]) -> str:
    """The text, with the comments beside its lines: below each other where the author had them so."""
    written: list[str] = []
    index = 0
    while index < len(lines):
        end = index + 1
        while end < len(lines) and lines[index].comment and _wanted(lines[end]) == _wanted(lines[index]):
            end += 1
        written += _with_comments(lines[index:end])
        index = end
    return "".join(f"{line}\n" for line in written)


def _wanted(line: Written) -> int | None:
    """The column that the author gave to the comment beside a line."""
    if line.comment is None:
        return None
    return columns(line.words) - columns(line.words.lstrip(" ")) + line.comment.column


def _with_comments(lines: list[Written]) -> list[str]:
    wanted = _wanted(lines[0])
    if wanted is None:
        return [line.words for line in lines]
    nearest = max(columns(line.words) for line in lines) + 2
    column = max(wanted, nearest)
    if any(column + columns(line.comment.text) > WIDTH for line in lines if line.comment):
        column = nearest
    return [f"{line.words}{' ' * (column - columns(line.words))}{line.comment.text}" for line in lines if line.comment]
