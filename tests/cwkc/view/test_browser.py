"""The report as a browser shows it: nothing runs that must not, nothing overflows, the list and the switch work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.cwkc.view.conftest import Report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT = "--virtual-time-budget=5000"
"""Until all that was going to happen has; of the browser's own time, of which idle parts are skipped."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed to look at the pages with")

PROBE = """
addEventListener("load", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const root = document.documentElement;
  const is_scrolled = (each) => each.closest(".scroll") || each.closest(".unseen") || each.closest(".skip");
  const wide = [...document.querySelectorAll("main *, .top *")].filter((each) =>
    !is_scrolled(each) && each.getBoundingClientRect().right > root.clientWidth + 1);
  const ground = () => getComputedStyle(document.body).backgroundColor;
  const grounds = [0, 1, 2].map(() => { const now = ground(); document.getElementById("theme").click(); return now; });
  const list = document.querySelectorAll("#list tbody tr");
  parent.postMessage(JSON.stringify({
    width: root.clientWidth,
    scrolls: root.scrollWidth > root.clientWidth,
    wide: wide.map((each) => each.outerHTML.slice(0, 80)),
    clipped: [...document.querySelectorAll("main *")].filter((each) =>
      getComputedStyle(each).overflowX === "hidden" && !each.closest(".unseen") && each.textContent.trim()).length,
    grounds,
    listed: [...list].map((each) => each.querySelector(".id").textContent),
    count: document.getElementById("count")?.textContent,
    pictures: document.querySelectorAll("img").length,
    alerted: window.alerted ?? 0,
  }), "*");
});
"""
FRAME = """<!doctype html><title>Frame</title><body>
<script>addEventListener("message", (event) => { document.body.dataset.seen = event.data; });</script>
<iframe src="PAGE" style="width:WIDTHpx;height:900px;border:0"></iframe></body>"""
"""A window cannot be as narrow as a telephone; a frame can."""


def seen(report: Report, tmp_path: Path, name: str, width: int, fragment: str = "") -> dict[str, Any]:
    """What a script finds in the page once it is shown, all its details open."""
    folder = tmp_path / "report"
    if not folder.exists():
        shutil.copytree(report.folder, folder)
    page = folder / name
    text = page.read_text(encoding="utf-8")
    alert = "window.alert = () => { window.alerted = (window.alerted ?? 0) + 1 };"
    page.write_text(text.replace("</title>", f"</title><script>{alert}{PROBE}</script>", 1), encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.replace("PAGE", f"{page.as_uri()}{fragment}").replace("WIDTH", str(width)), encoding="utf-8")
    assert CHROMIUM is not None
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1400,1000", WAIT)
    command = [CHROMIUM, *options, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", frame.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (answer,) = re.findall(r'data-seen="([^"]*)"', shown)
    found: dict[str, Any] = json.loads(unescape(answer))
    return found


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["index.html", "tasks/answer_mail.html", "runs/2.html"])
def test_pages_fit_and_are_harmless(report: Report, tmp_path: Path, name: str, width: int) -> None:
    found = seen(report, tmp_path, name, width)
    assert found["width"] == width
    assert (found["scrolls"], found["wide"], found["clipped"]) == (False, [], 0)
    assert (found["alerted"], found["pictures"]) == (0, 0)
    auto, light, dark = found["grounds"]
    assert light != dark
    assert auto in (light, dark)


def test_the_list_follows_the_address(report: Report, tmp_path: Path) -> None:
    found = seen(report, tmp_path, "index.html", 1280, "#capability=asking_back&scenario=escalation")
    assert (found["listed"], found["count"]) == (["answer_mail"], "1 to 1 of 1 (2 in the list)")


def test_a_long_list_is_shown_in_pages(report: Report, tmp_path: Path) -> None:
    shutil.copytree(report.folder, tmp_path / "report")
    rows = [
        ["tasks/x.html", 1, f"task_{n}", "Many", "ops", "outage", "easy", "en", ["x"], ["crm"], 1, 1, 1, []]
        for n in range(10_000)
    ]
    (tmp_path / "report" / "tasks.js").write_text(f"const TASKS = {json.dumps(rows)};", encoding="utf-8")
    found = seen(report, tmp_path, "index.html", 1280, "#text=many&page=3")
    assert (len(found["listed"]), found["listed"][0]) == (50, "task_100")
    assert found["count"] == "101 to 150 of 10000 (10000 in the list)"
