"""The table of what goes together speaks of words and services that there are, and of all of them."""

from __future__ import annotations

from cwkc.planning.words import fitting, known_words
from cwkc.resources import standard_services

TABLE = fitting()
KNOWN = known_words()


def test_every_scenario_and_difficulty_is_in_it() -> None:
    assert TABLE.scenarios.keys() == set(KNOWN["scenario"])
    assert TABLE.services.keys() == TABLE.capabilities.keys() == set(KNOWN["difficulty"])


def test_words_that_need_services_are_known() -> None:
    assert {(kind, word) for kind, needs in TABLE.needs.items() for word in needs if word not in KNOWN[kind]} == set()


def test_services_are_standard_ones_and_each_is_at_home_somewhere() -> None:
    at_home = {service for scenario in TABLE.scenarios.values() for service in scenario["services"]}
    assert at_home == set(standard_services())
    needed = {service for needs in TABLE.needs.values() for services in needs.values() for service in services}
    assert needed <= at_home


def test_categories_are_known_and_each_is_at_home_somewhere() -> None:
    assert {word for scenario in TABLE.scenarios.values() for word in scenario["category"]} == set(KNOWN["category"])
