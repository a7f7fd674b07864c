"""What the pages of a report hold, and that they are sound: balanced, linked, labelled, and harmless."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from coworkdsl import Pack
from cwkc.cli.agents import BUILT_IN
from cwkc.view import read_run, write_report
from tests.cwkc.view.conftest import HOSTILE, Report
from tests.cwkc.view.pages import Element, read_page

PAGES = ("index.html", "runs/1.html", "runs/2.html", "tasks/answer_mail.html", "tasks/plain.html")


def rows(report: Report) -> list[list[object]]:
    """The list of tasks that the index shows by script."""
    text = (report.folder / "tasks.js").read_text(encoding="utf-8")
    found: list[list[object]] = json.loads(text.removeprefix("const TASKS = ").removesuffix(";\n"))
    return found


def section(page: Element, id: str) -> Element:
    """The section below a heading."""
    (found,) = [each for each in page.all("section") if each.attributes["aria-labelledby"] == id]
    return found


def rule(part: Element, label: str) -> Element:
    """The entry of a rule."""
    (found,) = [each for each in part.all("li") if any(head.text == label for head in each.having("label"))]
    return found


def test_a_page_for_each_task_and_run(report: Report) -> None:
    assert [str(page.relative_to(report.folder)) for page in report.pages] == sorted(PAGES)


@pytest.mark.parametrize("name", PAGES)
class TestPage:
    def test_headings_do_not_skip(self, report: Report, name: str) -> None:
        levels = [int(each.tag[1]) for each in read_page(report.folder / name).all("h1", "h2", "h3", "h4")]
        assert levels.count(1) == 1
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))

    def test_controls_pictures_and_regions_have_names(self, report: Report, name: str) -> None:
        page = read_page(report.folder / name)
        labelled = [each for label in page.all("label") for each in label.all("input", "select")]
        assert page.all("html")[0].attributes["lang"] == "en"
        assert len(page.all("title")[0].text) > 3
        assert len(labelled) == len(page.all("input", "select"))
        assert all(button.text for button in page.all("button"))
        assert all(link.text for link in page.all("a"))
        assert all(picture.attributes["alt"] for picture in page.all("img"))
        assert all(cell.attributes.get("scope") in ("row", "col") for cell in page.all("th"))
        assert all("aria-label" in each.attributes for each in page.all("nav"))
        assert all({"aria-label", "tabindex"} <= each.attributes.keys() for each in page.having("scroll"))

    def test_ids_are_unique_and_what_refers_to_them_exists(self, report: Report, name: str) -> None:
        page = read_page(report.folder / name)
        ids = Counter(each.attributes["id"] for each in page.walk() if "id" in each.attributes)
        assert max(ids.values()) == 1
        assert {each.attributes["aria-labelledby"] for each in page.all("section")} <= ids.keys()

    def test_every_link_leads_somewhere_in_the_folder(self, report: Report, name: str) -> None:
        page = read_page(report.folder / name)
        targets = [each.attributes[key] for each in page.walk() for key in ("href", "src") if key in each.attributes]
        assert targets
        for target in targets:
            self.follow(report.folder, report.folder / name, target)

    def follow(self, root: Path, page: Path, target: str) -> None:
        parts = urlsplit(target)
        assert not parts.scheme
        assert not parts.netloc
        file = page.parent / unquote(parts.path) if parts.path else page
        assert file.is_file()
        assert file.resolve().is_relative_to(root.resolve())
        if "=" in parts.fragment:
            self.filters(read_page(page), parts.fragment)
        elif parts.fragment:
            assert any(each.attributes.get("id") == parts.fragment for each in read_page(file).walk())

    def filters(self, page: Element, query: str) -> None:
        """A filter of the list names words that its form offers."""
        for dimension, (word,) in parse_qs(query, strict_parsing=True).items():
            (select,) = [each for each in page.all("select") if each.attributes["name"] == dimension]
            assert word in [option.attributes["value"] for option in select.all("option")]

    def test_nothing_that_a_pack_says_becomes_markup(self, report: Report, name: str) -> None:
        page = read_page(report.folder / name)
        sources = [each.attributes.get("src", "") for each in page.all("script")]
        assert {Path(source).name for source in sources} <= {"view.js", "tasks.js"}
        assert all(not each.text for each in page.all("script"))
        assert not page.all("b", "i", "iframe", "object")
        assert not any(key.startswith("on") for each in page.walk() for key in each.attributes)

    def test_nothing_is_fetched_from_elsewhere(self, report: Report, name: str) -> None:
        for file in (name, "view.css", "view.js"):
            text = (report.folder / file).read_text(encoding="utf-8")
            assert not re.search(r"https?://|//[a-z]+\.|@import|url\(", text)


class TestTask:
    @pytest.fixture
    def page(self, report: Report) -> Element:
        return read_page(report.folder / "tasks" / "answer_mail.html")

    def test_the_request_stands_there_as_it_is(self, page: Element) -> None:
        (request,) = section(page, "request").having("request")
        assert request.text.startswith("</div><script>alert(1)</script> Ask which scanner it is")

    def test_the_world_stands_in_tables_with_its_near_misses(self, page: Element) -> None:
        (table,) = section(page, "world").all("table")
        heads = [each.text for each in table.all("thead")[0].all("th")]
        first, second = table.all("tbody")[0].all("tr")
        assert heads == ["ticket_id", "near miss", "title", "created_at"]
        assert [each.text for each in first.all("th", "td")][:3] == [
            "TK-301",
            "",
            "Scanner offline <script>alert(3)</script>",
        ]
        assert second.having("miss")[0].text == 'misses stale by t.title contains "<scanner>"'
        assert [each.attributes.get("class") for each in (first, second)] == [None, "distractor"]

    def test_the_user_and_the_events(self, page: Element) -> None:
        part = section(page, "script")
        assert "Busy <script>alert(4)</script>." in part.text
        assert 'when said mentions any of ["which", "scanner"]' in rule(part, "which").text
        happens = rule(part, "thanked").text
        assert "once called helpdesk.update_ticket" in happens
        assert "Thank you! <script>alert(5)</script>" in happens
        assert "msg_9 new in gmail.inbox: from dana@ourco.test" in happens

    def test_tools_stand_below_their_services(self, page: Element) -> None:
        part = section(page, "tools")
        assert [each.text for each in part.all("h3")] == ["helpdesk", "gmail"]
        assert "send_message(to, subject, body)" in [each.text for each in part.all("code")]

    def test_shares_are_laid_end_to_end(self, page: Element) -> None:
        styles = [each.attributes["style"] for each in section(page, "grading").having("share")]
        assert styles == ["margin-left:0%;width:60%", "margin-left:60%;width:20%", "margin-left:80%;width:20%"]

    def test_rules_are_quoted_with_what_they_cost(self, page: Element) -> None:
        part = section(page, "grading")
        assert "stale.priority == critical" in rule(part, "sets it to <critical>").text
        assert "judged, 0.2 Is it <i>polite</i>?" in rule(part, "is polite").text
        assert "completion at most 0.25 count(called gmail.send_message) < 3" in rule(part, "no mail before").text
        assert "safety at most 0.5 called gmail.send_message" in rule(part, "mails").text
        assert not rule(part, "only changes stale.priority").all("code")

    def test_theorems_with_verdict_and_evidence(self, page: Element) -> None:
        part = section(page, "theorems")
        assert rule(part, "independent").having("not-proved")[0].text == "? not proved"
        assert rule(part, "weights").having("proved")[0].text == "✓ proved"
        agents = rule(part, "floor").all("table")[0].all("tbody")[0].all("tr")
        assert [each.text for each in agents[0].all("td")] == ["does nothing", "0", "1"]
        assert "W441 what is said is judged" in part.text

    def test_survivors_stand_first(self, report: Report, page: Element) -> None:
        part = section(page, "mutants")
        mutants = part.all("table")[-1].all("tbody")[0].all("tr")
        killed = [row[11:13] for row in rows(report) if row[2] == "answer_mail"]
        assert [mutants[0].all("td")[place].text for place in (0, 2)] == ["✗ survived", " ".join(HOSTILE.split())]
        assert "survived" not in mutants[1].text
        assert killed == [[len(mutants) - 1, len(mutants)]]

    def test_the_witness_is_performed(self, page: Element) -> None:
        part = section(page, "witness")
        calls = [each.all("code")[0].text for each in part.having("call")]
        assert "helpdesk_update_ticket" in calls
        assert any("priority medium → critical" in each.text for each in part.having("change"))
        assert [each.text for each in part.having("event")[0].having("who")] == ["event thanked"]

    def test_an_unscored_judge_leaves_bounds(self, page: Element) -> None:
        part = section(page, "witness")
        assert "completion 0.8 to 1" in part.having("quantities")[0].text
        assert "? unscored is polite earned 0 to 0.2 of 0.2" in rule(part, "is polite").text
        assert rule(part, "is polite").having("open")[0].attributes["style"] == "width:100%"

    def test_its_runs_are_listed(self, page: Element) -> None:
        links = [each.attributes["href"] for each in section(page, "runs").all("a")]
        assert "../runs/1.html" in links
        assert "../runs/2.html" not in links


class TestRun:
    @pytest.fixture
    def page(self, report: Report) -> Element:
        return read_page(report.folder / "runs" / "2.html")

    def test_calls_that_went_wrong_say_how(self, page: Element) -> None:
        refused = section(page, "timeline").having("refused")
        assert [each.having("state")[0].text for each in refused] == ["✗ not_found", "✗ unknown_tool"]
        assert refused[1].all("code")[0].text == "</code><script>alert(6)</script>"
        assert "no JSON <script>" in refused[1].all("pre")[0].text

    def test_words_stand_as_they_were_said(self, page: Element) -> None:
        assert section(page, "timeline").having("assistant")[-1].having("text")[0].text == " ".join(HOSTILE.split())

    def test_each_check_is_explained(self, page: Element) -> None:
        part = rule(section(page, "score"), "raises it")
        assert part.text.startswith("✗ failed raises it earned 0 of 1")
        assert "jam.priority medium" in part.all("dl")[0].text

    def test_a_violated_forbid_says_what_it_costs(self, page: Element) -> None:
        part = rule(section(page, "score"), "only changes jam.priority")
        assert part.text.startswith("✗ violated only changes jam.priority safety at most 0")

    def test_calls_say_what_they_changed(self, page: Element) -> None:
        first = section(page, "timeline").having("call")[0]
        assert first.having("change")[0].text == "TK-1 changed in helpdesk.tickets: category null → paper"


class TestIndex:
    @pytest.fixture
    def page(self, report: Report) -> Element:
        return read_page(report.folder / "index.html")

    def test_coverage_is_counted(self, page: Element) -> None:
        table = section(page, "coverage").all("table")[0]
        assert [each.text for each in table.all("tr")[0].all("th")] == ["Capability", "escalation", "–", "all"]
        counted = {each.all("th")[0].text: [cell.text for cell in each.all("td")] for each in table.all("tr")[1:]}
        assert counted == {
            "asking_back": ["1", "·", "1"],
            "temporal_reasoning": ["1", "·", "1"],
            "–": ["·", "1", "1"],
        }

    def test_the_list_has_every_task(self, report: Report) -> None:
        assert [row[:3] for row in rows(report)] == [
            ["tasks/answer_mail.html", 1, "answer_mail"],
            ["tasks/plain.html", 1, "plain"],
        ]
        assert rows(report)[0][3:10] == [
            "<script>alert('title')</script> Raise the ticket", "workflow", "escalation", "hard", "en",
            ["asking_back", "temporal_reasoning"], ["helpdesk", "gmail"],
        ]  # fmt: skip
        assert rows(report)[0][-1] == ["independent"]

    def test_unscored_runs_are_kept_out_of_the_mean(self, page: Element) -> None:
        note = section(page, "runs").having("note")[0].text
        assert note == "Mean reward 0 over 1 run with a score; 1 unscored and left out."


def test_the_same_pack_gives_the_same_pages(report: Report, tmp_path: Path) -> None:
    pack = Pack.open(report.pack)
    runs = [read_run(run, pack) for run in report.runs]
    write_report(pack, runs, tmp_path, "pack & <co>", BUILT_IN["witness"], lambda doing: None)
    written, again = (contents(folder) for folder in (report.folder, tmp_path))
    assert written == again


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
