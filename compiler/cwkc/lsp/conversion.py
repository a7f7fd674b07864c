"""From the editor's values to the protocol's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from cwkc.diagnostics import Diagnostic
from cwkc.editor import Analysis
from cwkc.editor.actions import Action
from cwkc.editor.colours import KINDS, MODIFIERS, Colour
from cwkc.editor.completion import Completion, Item
from cwkc.editor.folding import Fold
from cwkc.editor.hints import Hint
from cwkc.editor.lenses import Lens
from cwkc.editor.lines import Length, Lines
from cwkc.editor.outline import Entry
from cwkc.editor.renaming import Edit, edits_by_file
from cwkc.editor.signatures import Signature
from cwkc.lsp.documents import uri_of
from cwkc.source import Source, Span
from cwkc.syntax import tree

COMPLETION_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "service": lsp.CompletionItemKind.Module,
    "store": lsp.CompletionItemKind.Struct,
    "tool": lsp.CompletionItemKind.Method,
    "function": lsp.CompletionItemKind.Function,
    "field": lsp.CompletionItemKind.Field,
    "parameter": lsp.CompletionItemKind.Field,
    "truth": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
    "value": lsp.CompletionItemKind.EnumMember,
    "enum": lsp.CompletionItemKind.Enum,
    "record": lsp.CompletionItemKind.Class,
    "type": lsp.CompletionItemKind.Class,
    "record id": lsp.CompletionItemKind.Reference,
    "event": lsp.CompletionItemKind.Event,
}
SYMBOL_KINDS = {
    "service": lsp.SymbolKind.Module,
    "world": lsp.SymbolKind.Namespace,
    "task": lsp.SymbolKind.Class,
    "family": lsp.SymbolKind.Class,
    "grade": lsp.SymbolKind.Class,
    "plan": lsp.SymbolKind.Class,
    "record": lsp.SymbolKind.Struct,
    "enum": lsp.SymbolKind.Enum,
    "value": lsp.SymbolKind.EnumMember,
    "tool": lsp.SymbolKind.Method,
    "store": lsp.SymbolKind.Array,
    "field": lsp.SymbolKind.Field,
    "truth": lsp.SymbolKind.Constant,
    "contract": lsp.SymbolKind.Interface,
    "event": lsp.SymbolKind.Event,
    "record id": lsp.SymbolKind.Object,
}
TITLES = {"prove": "Prove", "rehearse": "Rehearse", "play": "Play"}


def range_in(lines: Lines, start: int, end: int) -> lsp.Range:
    return lsp.Range(lsp.Position(*lines.place(start)), lsp.Position(*lines.place(end)))


def range_of(span: Span, length: Length) -> lsp.Range:
    return range_in(Lines(span.source.text, length), span.start, span.end)


def location(span: Span, length: Length) -> lsp.Location:
    return lsp.Location(uri_of(span.source.name), range_of(span, length))


# ---------------------------------------------------------------------------- diagnostics


def diagnostics(found: Iterable[Diagnostic], analysis: Analysis, lines: Lines, length: Length) -> list[lsp.Diagnostic]:
    """Those of one file. What is wrong with a file that it uses is told where it names that file."""
    told: dict[tuple[str, int, str], lsp.Diagnostic] = {}
    for each in found:
        place, message = each.span, each.message
        if each.span.source.name != analysis.source.name:
            used = _use_of(each.span.source, analysis)
            if used is None:
                continue
            place, message = used, f"{each.span.source.name}:{each.span.line}: {each.message}"
        shown = lsp.Diagnostic(
            range=range_in(lines, place.start, place.end),
            message=f"{message}\n{each.help}" if each.help else message,
            severity=lsp.DiagnosticSeverity.Error if each.is_error else lsp.DiagnosticSeverity.Warning,
            code=each.code,
            source="cwkc",
            related_information=[
                lsp.DiagnosticRelatedInformation(location(label.span, length), label.text) for label in each.related
            ],
        )
        told.setdefault((each.code, place.start, message), shown)
    return list(told.values())


def _use_of(source: Source, analysis: Analysis) -> Span | None:
    """The `use` by which a file comes in, directly or by way of others."""
    scopes = analysis.program.scopes
    for use, key in analysis.scope.unit.imports:
        reached, waiting = set(), [key]
        while waiting:
            current = waiting.pop()
            if current not in reached:
                reached.add(current)
                waiting += [target for _, target in scopes[current].unit.imports]
        if any(scopes[each].unit.source.name == source.name for each in reached):
            return use.path.span if isinstance(use, tree.UseFile) else use.span
    return None


# ---------------------------------------------------------------------------- answers


def completion_list(found: Completion, lines: Lines) -> lsp.CompletionList:
    place = range_in(lines, found.span.start, found.span.end)
    items = [_completion_item(item, index, place) for index, item in enumerate(found.items)]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _completion_item(item: Item, index: int, place: lsp.Range) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label=item.label,
        kind=COMPLETION_KINDS.get(item.kind, lsp.CompletionItemKind.Value),
        detail=item.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, item.doc) if item.doc else None,
        sort_text=f"{index:04}",
        filter_text=item.label,
        text_edit=lsp.TextEdit(place, item.insert or item.label),
    )


def signature_help(found: Signature) -> lsp.SignatureHelp:
    parameters = [lsp.ParameterInformation(label, doc or None) for label, doc in found.parameters]
    shown = lsp.SignatureInformation(found.label, found.doc or None, parameters)
    # A number past the end is how the protocol says that none is at hand.
    active = len(parameters) if found.active is None else found.active
    return lsp.SignatureHelp([shown], 0, active)


def workspace_edit(edits: Sequence[Edit], length: Length) -> lsp.WorkspaceEdit:
    return lsp.WorkspaceEdit(
        changes={
            uri_of(name): [lsp.TextEdit(range_of(edit.span, length), edit.text) for edit in own]
            for name, own in edits_by_file(edits).items()
        }
    )


def document_symbol(entry: Entry, lines: Lines) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=entry.name,
        kind=SYMBOL_KINDS.get(entry.kind, lsp.SymbolKind.Property),
        range=range_in(lines, entry.span.start, entry.span.end),
        selection_range=range_in(lines, entry.name_span.start, entry.name_span.end),
        detail=entry.kind,
        children=[document_symbol(child, lines) for child in entry.children],
    )


def folding_range(fold: Fold) -> lsp.FoldingRange:
    kind = lsp.FoldingRangeKind.Comment if fold.kind == "comment" else lsp.FoldingRangeKind.Region
    return lsp.FoldingRange(fold.first, fold.last, kind=kind)


LEGEND = lsp.SemanticTokensLegend(token_types=list(KINDS), token_modifiers=list(MODIFIERS))


def semantic_tokens(colours: Iterable[Colour], lines: Lines) -> lsp.SemanticTokens:
    """Five numbers for each stretch: lines and columns from the one before, its length, kind and modifiers."""
    data: list[int] = []
    last_line = last_column = 0
    for colour in colours:
        line, column = lines.place(colour.start)
        data += [
            line - last_line,
            column - last_column if line == last_line else column,
            lines.length(lines.text[colour.start : colour.end]),
            KINDS.index(colour.kind),
            sum(1 << MODIFIERS.index(modifier) for modifier in colour.modifiers),
        ]
        last_line, last_column = line, column
    return lsp.SemanticTokens(data=data)


def code_action(action: Action, uri: str, shown: lsp.Diagnostic, length: Length) -> lsp.CodeAction:
    edit = lsp.TextEdit(range_of(action.edit.span, length), action.edit.text)
    return lsp.CodeAction(
        title=action.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[shown],
        edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
        is_preferred=True,
    )


def code_lens(lens: Lens, uri: str, lines: Lines) -> lsp.CodeLens:
    command = lsp.Command(title=TITLES[lens.action], command=f"cwk.{lens.action}", arguments=[uri, lens.task])
    return lsp.CodeLens(range_in(lines, lens.span.start, lens.span.end), command)


def inlay_hint(hint: Hint, lines: Lines) -> lsp.InlayHint:
    return lsp.InlayHint(
        position=lsp.Position(*lines.place(hint.offset)),
        label=hint.label,
        tooltip=hint.tooltip,
        padding_left=True,
    )
