"""How diagnostics look on a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from cwkc.diagnostics.display import printable, width
from cwkc.diagnostics.model import Diagnostic, Label, error, warning
from cwkc.diagnostics.terminal import Page, render, summary
from cwkc.source import Source, Span

ERROR = error("E001", "an-error", "")
WARNING = warning("W001", "a-warning", "")
SOURCE = Source("dir/main.cwk", 'cwk 1\n\n\tcheck "価格" foo == bar\nlast')
OTHER = Source("other.cwk", "record Foo { bar: text }\n")


def span(text: str, source: Source = SOURCE) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def test_a_frame_marks_the_place_after_tabs_and_wide_characters() -> None:
    assert render([Diagnostic(ERROR, span("foo"), "`foo` is not known", "write `bar`")], Page()) == "\n".join(
        (
            "error[E001]: `foo` is not known",
            " --> dir/main.cwk:3:13",
            "  |",
            '3 |     check "価格" foo == bar',
            "  |                  ^^^",
            "  = help: write `bar`",
            "",
            "1 error",
        )
    )


def test_labels_stand_in_the_order_of_the_lines_and_in_their_files() -> None:
    labels = (
        Label(span("bar"), "compared with this"),
        Label(span("bar", OTHER), "declared here"),
        Label(span("cwk"), "the file"),
    )
    assert render([Diagnostic(WARNING, span("foo"), "clash", "", labels)], Page()) == "\n".join(
        (
            "warning[W001]: clash",
            " --> dir/main.cwk:3:13",
            "  |",
            "1 | cwk 1",
            "  | --- the file",
            "...",
            '3 |     check "価格" foo == bar',
            "  |                         --- compared with this",
            "  |                  ^^^",
            " ::: other.cwk:1:14",
            "  |",
            "1 | record Foo { bar: text }",
            "  |              --- declared here",
            "",
            "1 warning",
        )
    )


def test_a_place_at_the_end_of_the_file_has_one_mark() -> None:
    end = Span(SOURCE, len(SOURCE.text), len(SOURCE.text))
    assert render([Diagnostic(ERROR, end, "more is needed")], Page()).splitlines()[3:5] == ["4 | last", "  |     ^"]


def test_a_range_over_several_lines_is_marked_on_the_first() -> None:
    lines = render([Diagnostic(ERROR, span("bar\nla"), "broken")], Page()).splitlines()
    assert lines[4].count("^") == 3
    assert lines[5] == ""


def test_a_long_line_is_shown_around_the_mark() -> None:
    source = Source("long.cwk", "x" * 5000 + " here " + "y" * 5000)
    line, signs = render([Diagnostic(ERROR, span("here", source), "far")], Page(columns=60)).splitlines()[3:5]
    assert len(line) <= 60
    assert line[signs.index("^") :].startswith("here")


def test_prose_is_wrapped_on_a_narrow_terminal() -> None:
    label = Label(span("bar"), "this is compared with something else, which is the reason for the expectation")
    found = Diagnostic(ERROR, span("foo"), "a sentence longer than the terminal is wide", "mend it " * 20, (label,))
    assert all(width(line) <= 50 for line in render([found], Page(columns=50)).splitlines())


def test_labels_of_one_line_that_do_not_fit_beside_each_other_show_it_again() -> None:
    source = Source(
        "t.cwk", '  check 0.7 "sets it to critical" stale.priority == critical and stale.tags contains "urgent"'
    )
    labels = (
        Label(span("critical and", source), "a value of helpdesk.Priority"),
        Label(span("stale.tags", source), "a list"),
        Label(span('"urgent"', source), "a text that is sought in it, whatever its case and width are"),
    )
    found = Diagnostic(ERROR, span("stale.priority", source), "clash", "keep one of these two, or both of them", labels)
    assert render([found], Page(columns=40)).splitlines() == [
        "error[E001]: clash",
        " --> t.cwk:1:35",
        "  |",
        '1 | …ritical" stale.priority == critica…',
        "  |                             --------",
        "  | a value of helpdesk.Priority",
        "  |           ^^^^^^^^^^^^^^",
        '1 | …ical and stale.tags contains "urge…',
        "  |                               ------",
        "  | a text that is sought in it,",
        "  | whatever its case and width are",
        "  |           ---------- a list",
        "  = help: keep one of these two, or both",
        "          of them",
        "",
        "1 error",
    ]


@given(
    st.lists(st.sampled_from(("word", "価格", "\t", "e\u0301", "🎉", "stale.priority", " ")), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 90), st.integers(1, 30)), min_size=1, max_size=5),
    st.integers(40, 100),
)
def test_nothing_is_wider_than_the_terminal(words: list[str], ranges: list[tuple[int, int]], columns: int) -> None:
    source = Source("t.cwk", " ".join(words))
    last = len(source.text)
    spans = [Span(source, min(start, last), min(start + length, last)) for start, length in ranges]
    labels = tuple(Label(each, "what is said of this place") for each in spans[1:])
    found = Diagnostic(ERROR, spans[0], "a message of some words", "mend it in this or that way", labels)
    lines = render([found], Page(columns=columns)).splitlines()
    assert [line for line in lines if width(line) > columns] == []
    assert sum("^" in line for line in lines) == 1


def test_colours_only_where_they_are_wanted() -> None:
    found = [Diagnostic(ERROR, span("foo"), "wrong")]
    assert "\x1b" not in render(found, Page())
    assert "\x1b[1;31m^^^\x1b[0m" in render(found, Page(colour=True))


def test_the_summary_counts_by_severity() -> None:
    error_, warning_ = Diagnostic(ERROR, span("foo"), ""), Diagnostic(WARNING, span("foo"), "")
    assert summary([error_, warning_, error_]) == "2 errors, 1 warning"
    assert summary([warning_, warning_]) == "2 warnings"
    assert render([], Page()) == ""


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60), st.sampled_from((None, 20, 40, 80)))
def test_whatever_the_text_the_frame_is_printable(text: str, first: int, second: int, columns: int | None) -> None:
    source = Source("any.cwk", text)
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    shown = render([Diagnostic(ERROR, Span(source, start, end), "wrong")], Page(columns=columns))
    assert all(printable(line) == line for line in shown.splitlines())
    assert shown.count("^") >= 1
