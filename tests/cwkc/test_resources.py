"""What the package carries: the grammar and the standard services, in a checkout and in a wheel."""

from pathlib import Path

import pytest

from cwkc import resources


def test_the_grammar_is_found() -> None:
    assert "start:" in resources.grammar_text()


def test_standard_services_by_name() -> None:
    assert "helpdesk" in resources.standard_services()
    assert "service helpdesk" in (resources.standard_service("helpdesk") or "")


@pytest.mark.parametrize("name", ["absent", "../grammar/cwk", "", "helpdesk.cwk"])
def test_what_is_no_standard_service(name: str) -> None:
    assert resources.standard_service(name) is None


def test_a_package_prefers_what_it_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar/cwk.lark").write_text("carried", encoding="utf-8")
    monkeypatch.setattr(resources, "PACKAGE", tmp_path)
    resources.grammar_text.cache_clear()
    try:
        assert resources.grammar_text() == "carried"
    finally:
        resources.grammar_text.cache_clear()
