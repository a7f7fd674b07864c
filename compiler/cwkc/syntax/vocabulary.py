"""Words and signs of the language by what they do: for messages, which name a bundle rather than thirty words."""

from __future__ import annotations

# What begins an item of a file.
ITEMS = ("use", "service", "world", "task", "family", "grade", "plan", "enum", "record", "vocabulary")

GRADING = frozenset({"let", "check", "judge", "require", "forbid", "always", "only", "reward"})

# What begins a statement of a task or of a family; where these three may stand, all may.
TASK_STATEMENTS = GRADING | frozenset(
    {"request", "data", "tools", "limit", "given", "allow", "policy", "deliver", "asset", "user", "on", "fault"}
    | {"extend", "distract"}
)
SOME_TASK_STATEMENTS = frozenset({"request", "data", "check"})

# Keywords at the head of something said, none of which takes a colon.
STATEMENTS = TASK_STATEMENTS | frozenset(
    {"persona", "knows", "patience", "say", "insert", "set", "delete", "end", "return", "fail", "slot"}
)

# Words that are keywords wherever an expression may begin, and want something after them.
LEADING = frozenset(
    {"pick", "sum", "only", "some", "no", "all", "every", "each", "first", "called", "tried", "learned", "delivered"}
)

# What begins an expression; where these may stand, all may.
SOME_VALUES = frozenset({"NAME", "REF", "LITERAL", "STRING", "INTERPOLATED", "[", "(", "{", "-", "not", "true", "null"})
VALUES = SOME_VALUES | LEADING | frozenset({"false", "answer", "said"})

# What goes on after an operand.
SOME_OPERATORS = frozenset({"+", "-", "*", "/", "and", "or", "==", "!=", "<", ">", "<=", ">=", "in"})
OPERATORS = SOME_OPERATORS | frozenset(
    {"contains", "matches", "mentions", "states", "within", "before", "is", "lists"} | {".", ".{", "[", "("}
)

KINDS = {
    "NAME": "a name",
    "REF": "a record id",
    "LITERAL": "a number",
    "STRING": "a text",
    "INTERPOLATED": "a text with names in braces",
    "$END": "the end",
}
