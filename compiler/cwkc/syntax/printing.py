"""From lark's tree to documents: where the words of each construct stand, and where its lines may be broken.

Every word is printed once, in its place, with the comments before it; a comma that separates nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field
from lark import Token

from cwkc.syntax import documents
from cwkc.syntax.comments import Gap, Words, first_word, start
from cwkc.syntax.documents import NOTHING, STEP, Comment, Document, Kind, concat, group, hang, hard, line, nest, space
from cwkc.syntax.reading import Branch, Children, operands, token
from cwkc.syntax.texts import long_text_lines

# How tightly binary operators bind: a line is broken before the loosest ones. The second word of `states … within …`
# stays with what stands before it.
LOOSENESS = {"or": 0, "and": 0, "before": 1, "+": 3, "-": 3, "*": 4, "/": 4, "within": 9}
COMPARISON = 2

# Before these signs there is no blank, and the first of them lets a line be broken after it.
CLINGING = (",", ":")


@define
class Printer:
    """Documents of a file's parts.

    `pads`: further blanks before a word, that make columns; `hung`: words that begin a line of their own, further in;
    `led`: words whose comments on lines of their own have been printed.
    """

    words: Words
    pads: dict[int, int] = field(factory=dict)
    hung: set[int] = field(factory=set)
    led: set[int] = field(factory=set)
    _kept: dict[int, Document] = field(factory=dict)

    def __call__(self, whole: Branch) -> Document:
        if isinstance(whole, Token):
            return self.word(whole)
        if whole.data not in KEPT:
            return RULES.get(whole.data, Printer.sequence)(self, whole)
        kept = self._kept.get(id(whole))
        if kept is None:
            kept = self._kept[id(whole)] = RULES.get(whole.data, Printer.sequence)(self, whole)
        return kept

    # ------------------------------------------------------------------------ words

    def word(self, word: Token) -> Document:
        """A word, with the comments before it and the one beside it."""
        if self.words.is_bare(word):
            return self._bare(word)
        return concat((*self.remarks(word), self._bare(word), *self.beside(word)))

    def remarks(self, word: Token) -> list[Document]:
        """The comments on lines of their own before a word."""
        if start(word) in self.led:
            return []
        return [remark.comment for remark in self.words.before(word).remarks]

    def beside(self, word: Token) -> list[Comment]:
        comment = self.words.after(word).beside
        return [] if comment is None else [comment]

    def dropped(self, comma: Token | None) -> Document:
        """What is left of a comma that separates nothing: the comments around it."""
        if comma is None:
            return NOTHING
        if not self.words.before(comma).breaks:
            return concat(self.beside(comma))
        found = [*self.remarks(comma), *(documents.comment(each.text, False, 0) for each in self.beside(comma))]
        return concat(part for each in found for part in (hard(), each))

    def _bare(self, word: Token) -> Document:
        if "\n" in word:
            return documents.long_text(*long_text_lines(str(word)))
        return documents.text(str(word))

    def gap(self, part: Branch) -> Gap:
        return self.words.before(first_word(part))

    def blank(self, part: Branch) -> Document:
        return space(1 + self.pads.get(start(first_word(part)), 0))

    def _line(self, kind: Kind, part: Branch, offset: int = 0) -> documents.Line:
        """A place for a line break before a part."""
        word = first_word(part)
        gap = self.words.before(word)
        flat = None if gap.remarks and start(word) not in self.led else 1 + self.pads.get(start(word), 0)
        return line(kind, gap.breaks, offset=offset, flat=flat)

    # ------------------------------------------------------------------------ sequences

    def sequence(self, whole: Branch) -> Document:
        return self.row(whole.children)

    def row(self, parts: Sequence[Branch]) -> Document:
        """Parts beside each other; after a comma the line may be broken."""
        built: list[Document] = []
        for index, part in enumerate(parts):
            if index and part not in CLINGING:
                after_comma = parts[index - 1] == ","
                built.append(self._line(Kind.FILL, part) if after_comma else self.blank(part))
            built.append(self(part))
        return concat(built)

    def glued(self, whole: Branch) -> Document:
        return concat(self(part) for part in whole.children)

    def listing(self, whole: Branch) -> Document:
        """Keywords and a list of things, which goes on below the first of them."""
        count = 2 if whole.data == "only_changes" else 1
        head, rest = whole.children[:count], whole.children[count:]
        return concat((self.row(head), self.blank(rest[0]), group(documents.align(self.row(rest)))))

    def changed(self, whole: Branch) -> Document:
        parts = whole.children
        if parts[0] != "new":
            return self.glued(whole)
        return concat((self(parts[0]), space(), *(self(part) for part in parts[1:])))

    # ------------------------------------------------------------------------ brackets

    def bracketed(
        self, opening: Token, inside: Children, closing: Token, pad: int = 0, further_in: bool = False
    ) -> Document:
        """Things in brackets with commas between them: on one line, or as the author broke them."""
        items = list(operands(inside))
        if not items:
            return concat((self(opening), self.dropped(token(inside, "COMMA")), self(closing)))
        if self.is_long(inside, closing):
            lines = self.separated(inside, is_long=True)
            return self._long(self(opening), lines, closing)
        return documents.bracket(self(opening), self.separated(inside), self(closing), pad, further_in)

    def is_long(self, inside: Children, closing: Token) -> bool:
        """Whether what is in brackets is to have lines of its own: the author has it so, or there are comments."""
        return bool(inside) and (
            self.is_broken(inside[0]) or any(self.gap(part).has_comments for part in (*inside[1:], closing))
        )

    def is_broken(self, item: Branch) -> bool:
        """Whether the author broke the line before an item."""
        return self.gap(item).breaks

    def separated(self, inside: Children, is_long: bool = False, kind: Kind = Kind.FILL) -> Document:
        """Items with commas between them, where the line may be broken; a comma after the last is left out."""
        built: list[Document] = []
        last = len(inside) - 1
        for index, part in enumerate(inside):
            if part == "," and index == last:
                built.append(self.dropped(part))
            elif index % 2 == 0 and index:
                gap = self.gap(part)
                apart = gap.remarks[0].apart if gap.remarks else gap.apart
                built += [hard(blank=True) if is_long and apart else self._line(kind, part), self(part)]
            else:
                built.append(self(part))
        return concat(built)

    def _long(self, opening: Document, lines: Document, closing: Token) -> Document:
        remarks = [part for remark in self.remarks(closing) for part in (hard(), remark)]
        end = concat((self._bare(closing), *self.beside(closing)))
        return concat((opening, nest(concat((hard(), lines, *remarks))), hard(), end))

    def parameters(self, parts: Children) -> Document:
        """What stands between round brackets at the head of an item: on one line, or each on its own."""
        opening, *inside, closing = parts
        if self.is_long(inside, closing):
            return self._long(self(opening), self._each_on_its_line(inside), closing)
        edge = line(Kind.ALL, False, flat=0)
        body = nest(concat((edge, self.separated(inside, kind=Kind.ALL)))) if inside else NOTHING
        return group(concat((self(opening), body, edge, self(closing))))

    def _each_on_its_line(self, inside: Children) -> Document:
        built: list[Document] = []
        for part in inside:
            if part == ",":
                built.append(self(part) if part is not inside[-1] else self.dropped(part))
            else:
                built += [hard(), self(part)] if built else [self(part)]
        return concat(built)

    def list_display(self, whole: Branch) -> Document:
        opening, *inside, closing = whole.children
        return self.bracketed(opening, inside, closing)

    def object_display(self, whole: Branch) -> Document:
        opening, *inside, closing = whole.children
        return self.bracketed(opening, inside, closing, pad=1)

    def change(self, whole: Branch) -> Document:
        """A statement that ends with the fields that it writes: on one line, or further in."""
        *head, fields = whole.children
        opening, *inside, closing = fields.children
        shown = self.bracketed(opening, inside, closing, pad=1, further_in=True)
        return concat((self.row(head), self.blank(fields), shown))

    def enumeration(self, whole: Branch) -> Document:
        word, name, opening, *inside, closing = whole.children
        shown = self.bracketed(opening, inside, closing, pad=1)
        return concat((self.row([word, name]), self.blank(opening), shown))

    def in_brackets(self, whole: Branch) -> Document:
        opening, inside, closing = whole.children
        if self.is_long([inside], closing):
            return self._long(self(opening), self.operators(inside, 0), closing)
        return documents.bracket(self(opening), self.operators(inside, 0), self(closing))

    def sum(self, whole: Branch) -> Document:
        word, opening, value, *rest, closing = whole.children
        parts = [self(value), self._line(Kind.OWN, rest[0]), self.row(rest[:4])]
        if rest[4:]:
            parts += [self._line(Kind.OWN, rest[4]), self(rest[4])]
        head, body = concat((self(word), self(opening))), group(concat(parts))
        if self.is_long([value], closing):
            return self._long(head, body, closing)
        return documents.bracket(head, body, self(closing))

    # ------------------------------------------------------------------------ expressions

    def expression(self, whole: Branch) -> Document:
        return documents.align(self.operators(whole))

    def operators(self, whole: Branch, offset: int = STEP) -> Document:
        """An expression that goes on, `offset` further in, on other lines; they begin with its loosest operators."""
        if isinstance(whole, Token) or whole.data != "expr":
            return self(whole)
        first, *rest = whole.children
        loosest = min(_looseness(operator) for operator in rest[::2])
        parts = [self(first)]
        for operator, operand in zip(rest[::2], rest[1::2], strict=True):
            may_break = _looseness(operator) == loosest
            before = self._line(Kind.FILL, operator, offset) if may_break else self.blank(operator)
            parts += [before, concat((self(operator), self.blank(operand), self(operand)))]
        return group(concat(parts))

    def term(self, whole: Branch) -> Document:
        parts: list[Document] = []
        for index, part in enumerate(whole.children):
            if index and whole.children[index - 1] != "-":
                parts.append(self.blank(part))
            parts.append(self(part))
        return concat(parts)

    def where(self, whole: Branch) -> Document:
        word, condition = whole.children
        return concat((self(word), self.blank(condition), self.operators(condition)))

    def choice(self, whole: Branch) -> Document:
        return group(documents.align(self.choosing(whole)))

    def choosing(self, whole: Branch) -> Document:
        quantifier, picked = whole.children
        return concat((self(quantifier), self.blank(picked), self._before_where(picked.children)))

    def _before_where(self, parts: Children) -> Document:
        """Parts, the last of which may be a `where` on a line of its own."""
        last = parts[-1]
        if isinstance(last, Token) or last.data != "where":
            return self.row(parts)
        return concat((self.row(parts[:-1]), self._line(Kind.OWN, last), self(last)))

    def first(self, whole: Branch) -> Document:
        *head, choice = whole.children
        return group(documents.align(concat((self.row(head), self.blank(choice), self.choosing(choice)))))

    def filtered(self, whole: Branch) -> Document:
        return group(documents.align(self._before_where(whole.children)))

    def promise(self, whole: Branch) -> Document:
        *head, body = whole.children
        return group(documents.align(concat((self.row(head), self._hanging(body, self.operators(body))))))

    def call(self, whole: Branch) -> Document:
        verb, tool, *rest = whole.children
        head = concat((self(verb), self.blank(tool), self(tool)))
        return concat((head, self.bracketed(rest[0], rest[1:-1], rest[-1]))) if rest else head

    # ------------------------------------------------------------------------ statements

    def _hanging(self, part: Branch, built: Document) -> Document:
        """A part that stands beside what is before it or, further in, on a line of its own."""
        return hang(self._line(Kind.OWN, part, STEP), built)

    def with_reason(self, whole: Branch) -> Document:
        """A statement whose last part may be a `when`, and in which a comma at the end is left out."""
        parts, comma = without_comma(whole.children)
        last = parts[-1]
        if isinstance(last, Token) or last.data != "when":
            return concat((self.row(parts), self.dropped(comma)))
        return concat((group(concat((self.row(parts[:-1]), self._hanging(last, self(last))))), self.dropped(comma)))

    def graded(self, whole: Branch) -> Document:
        """A label and what it is for: beside it or, further in, on a line of its own."""
        head, rest = labelled(whole)
        return concat((self.row(head), self._after_label(rest)))

    def _after_label(self, rest: Children) -> Document:
        if start(first_word(rest[0])) in self.hung:
            return nest(concat((hard(), self.condition(rest))))
        return concat((self.blank(rest[0]), self.condition(rest)))

    def condition(self, rest: Children) -> Document:
        """What follows a label, and what comes of it."""
        count = 2 if rest[0] == "share" else 1
        parts = [self.row(rest[:count])]
        if rest[count:]:
            parts += [self._line(Kind.OWN, rest[count]), self.row(rest[count:])]
        return group(documents.align(concat(parts)))

    def policy(self, whole: Branch) -> Document:
        *head, rule = whole.children
        label, rest = labelled(rule)
        inner = self._staying(rest[0], self.row(label), self.condition(rest))
        return self._staying(rule, self.row(head), inner)

    def _staying(self, part: Branch, before: Document, built: Document) -> Document:
        """Something, and a part that hangs from it where the author broke the line."""
        if self.is_broken(part):
            return concat((before, nest(concat((hard(), built)))))
        return group(concat((before, self._hanging(part, built))))


# Their documents are kept: they are wanted when columns are measured and when lines are printed, and nothing that is
# found out between changes them.
KEPT = frozenset({"entry", "expr", "term", "last", "choice", "promise", "first", "filtered", "call", "postfix"})


def _looseness(operator: Branch) -> int:
    return LOOSENESS.get(str(first_word(operator)), COMPARISON)


def labelled(whole: Branch) -> tuple[Children, Children]:
    """The words of a statement up to its label, and what follows."""
    count = 3 if whole.data == "check" else 2
    return whole.children[:count], whole.children[count:]


def without_comma(parts: Children) -> tuple[Children, Token | None]:
    """The parts, and the comma that was the last of them."""
    last = parts[-1]
    return (parts[:-1], last) if isinstance(last, Token) and last == "," else (parts, None)


RULES: dict[str, Callable[[Printer, Branch], Document]] = {
    **dict.fromkeys(("use", "tools", "limit", "only_changes"), Printer.listing),
    **dict.fromkeys(("path", "member", "postfix", "target", "type", "selection"), Printer.glued),
    **dict.fromkeys(("term", "last"), Printer.term),
    **dict.fromkeys(("where", "when"), Printer.where),
    **dict.fromkeys(("check", "require", "forbid", "always"), Printer.graded),
    **dict.fromkeys(("fail", "field", "promised", "fact"), Printer.with_reason),
    **dict.fromkeys(("application", "list", "view"), Printer.list_display),
    **dict.fromkeys(("group", "index"), Printer.in_brackets),
    **dict.fromkeys(("insert", "set"), Printer.change),
    "object": Printer.object_display,
    "enum": Printer.enumeration,
    "vocabulary": Printer.enumeration,
    "sum": Printer.sum,
    "expr": Printer.expression,
    "choice": Printer.choice,
    "first": Printer.first,
    "filtered": Printer.filtered,
    "promise": Printer.promise,
    "call": Printer.call,
    "changed": Printer.changed,
    "policy": Printer.policy,
}
