"""Diagnostics of files."""

from cwkc.diagnostics.model import Entry, error

ENTRIES: tuple[Entry, ...] = (
    error("E001", "file-not-found", "there is no file `{name}`", "check the name and its folder"),
    error("E002", "not-a-file", "`{name}` is a folder", "name a file that ends in `.cwk`"),
    error("E003", "unreadable-file", "`{name}` cannot be read: {reason}", "give yourself the right to read the file"),
    error(
        "E004",
        "file-too-large",
        "`{name}` has more than {limit} bytes",
        "split the file and join its parts with `use`",
    ),
    error(
        "E005",
        "not-utf-8",
        "line {line} is not UTF-8: byte {byte} of the line is {value}",
        "save the file with the encoding UTF-8",
    ),
    error("E006", "null-byte", "line {line} has a null byte", "remove it: a `.cwk` file is text"),
    error("E007", "empty-file", "`{name}` says nothing", "begin the file with `cwk 1`"),
    error(
        "E008",
        "formatter-defect",
        "the formatter leaves `{name}` as it is, as {law}",
        "this is a defect of the formatter: please report it with the file that shows it",
    ),
    error(
        "E013",
        "lost-worker",
        "the process that worked on `{task}` {how}",
        "it may have needed more memory than there is: fewer `--jobs` need less",
    ),
)
