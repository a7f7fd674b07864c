"""The room of exported grammars: the one grammar, in the form that each engine for constrained decoding reads.

    export("llguidance")

An export is exact: the parser takes whatever it generates, without a diagnostic. What makes it so is kept in the
order of the work: `places` (which words are keywords where), `tokens` (how a word is written behind another), `spelled`
(the grammar over characters), `rules` (with names), and a module for each form of text.
"""

from __future__ import annotations

import json

FORMATS = ("lark", "llguidance", "gbnf", "openai")


def export(format: str, comments: bool = False) -> str:
    """The grammar for an engine, which generates comments only where they are asked for.

    `openai` gives JSON, the `format` of a custom tool; the others give the text of a grammar.
    """
    from cwkc.grammars import lark_form
    from cwkc.grammars.gbnf import gbnf

    match format:
        case "lark":
            return lark_form.lark_form(lark_form.by_lookahead, comments)
        case "llguidance":
            return lark_form.lark_form(lark_form.by_difference, comments)
        case "openai":
            definition = lark_form.lark_form(lark_form.by_spelling, comments)
            return json.dumps({"type": "grammar", "syntax": "lark", "definition": definition}) + "\n"
        case "gbnf":
            return gbnf(comments)
    raise ValueError(f"no such format: {format}")
