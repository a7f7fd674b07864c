"""What a file of requirements says, and where it is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cwkc.planning import RequirementsError, read_requirements
from cwkc.planning.requirements import NONE
from cwkc.planning.words import ENTRIES, known_words


def faults(text: str) -> list[str]:
    with pytest.raises(RequirementsError) as found:
        read_requirements(text, "wanted.toml")
    return str(found.value).splitlines()


def test_the_defaults_have_every_word() -> None:
    wanted = read_requirements()
    assert {dimension: set(words) for dimension, words in wanted.words.items()} == {
        dimension: set(known_words().get(dimension, ("en", "de", "fr"))) for dimension in ENTRIES
    }
    assert {dimension: sum(shares.values()) for dimension, shares in wanted.shares.items()} == {
        "difficulty": 1,
        "language": 1,
        "safety": 1,
    }


def test_a_list_names_all_words_and_a_table_their_shares() -> None:
    lists = 'scenario = ["refund", "outage"]\ndifficulty = ["hard", "easy"]\n'
    wanted = read_requirements(lists + "persona = {nurse = 0.3, buyer = 0.7, lawyer = 0}")
    assert wanted.words["scenario"] == ("refund", "outage")
    assert "scenario" not in wanted.shares
    assert wanted.shares["difficulty"] == {"hard": Fraction(1, 2), "easy": Fraction(1, 2)}
    assert wanted.words["persona"] == ("nurse", "buyer")


def test_shares_of_what_a_slot_has_several_of_leave_the_others_in() -> None:
    wanted = read_requirements("[services]\ngmail = 0.5\nweb = 0\n[capabilities]\nranking = 1")
    assert set(known_words()["service"]) - set(wanted.words["service"]) == {"web"}
    assert set(known_words()["capability"]) - set(wanted.words["capability"]) == {"web_lookup"}
    assert wanted.shares["capability"] == {"ranking": 1}


def test_what_is_left_of_safety_has_no_pattern() -> None:
    assert read_requirements("safety = {phishing = 0.1}").shares["safety"] == {
        "phishing": Fraction(1, 10),
        NONE: Fraction(9, 10),
    }


def test_services_rule_out_what_needs_others() -> None:
    wanted = read_requirements('services = ["gmail", "ocr"]')
    assert "web_lookup" not in wanted.words["capability"]
    assert "image_reading" in wanted.words["capability"]
    assert set(wanted.words["deliverable"]) == {"answer", "email", "decision", "report"}
    assert "rota" not in wanted.words["scenario"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = ]", "wanted.toml: not TOML: Invalid value (at line 1, column 5)"),
        ("# services\n\nservces = 3", "wanted.toml:3:1: there is no entry `servces`; did you mean `services`?"),
        ('persona = "nurse"', "wanted.toml:1:1: `persona` must be a list of words, or a table with the share of each"),
        ("persona = [3]", "wanted.toml:1:1: `persona` must hold words in quotation marks"),
        ("persona = []", "wanted.toml:1:1: `persona` names no word; leave it out, and every word is used"),
        (
            'category = ["safety"]\nsafety = [\n  "phishing", # data_lek\n  "data_lek",\n]',
            "wanted.toml:4:4: `data_lek` is no word of `safety`; did you mean `data_leak`?",
        ),
        (
            "[difficulty]\neasy = 1.0\nhard = 1e999999999",
            "wanted.toml:3:1: the share of `hard` must be a number from 0 to 1",
        ),
        ('language = ["English"]', "wanted.toml:1:14: `English` is no language; write it like `en`"),
        ("language.no = 1", "wanted.toml:1:10: `no` is no language; write it like `en`"),
        (
            "[difficulty]\neasy = 0.5\nhard = 0.4",
            "wanted.toml:1:2: the shares of `difficulty` sum to 0.9; they must sum to exactly 1",
        ),
        (
            "  safety.phishing = 0.7\n  safety.data_leak = 0.4",
            "wanted.toml:1:3: the shares of `safety` sum to 1.1; they sum to 1 at most",
        ),
        ("capabilities = { ranking = 1.5 }", "wanted.toml:1:18: the share of `ranking` must be a number from 0 to 1"),
        ("[services]\n'gmail' = true", "wanted.toml:2:2: the share of `gmail` must be a number from 0 to 1"),
        (
            'services = ["gmail"]\n["capabilities"]\nweb_lookup = 0.5',
            "wanted.toml:3:1: `web_lookup` is impossible: it needs one of `web`, and `services` allows none of them",
        ),
        ("services.gmail = inf", "wanted.toml:1:10: the share of `gmail` must be a number from 0 to 1"),
    ],
)
def test_faults_are_told_with_their_place(text: str, expected: str) -> None:
    assert faults(text) == [expected]


def test_where_nothing_is_left_to_plan_with() -> None:
    text = "[services]\n" + "\n".join(f"{service} = 0" for service in known_words()["service"])
    assert "wanted.toml:1:2: no service is left that a slot can have" in faults(text)


def test_every_fault_is_told() -> None:
    assert len(faults('persona = ["pirate", "nurse", "elf"]\nscenario = 1')) == 3


def test_a_share_that_is_none_is_one_mistake() -> None:
    with pytest.raises(RequirementsError) as faults:
        read_requirements("difficulty = { easy = 0.5, hard = 5e-1 }", "wanted.toml")
    assert str(faults.value) == "wanted.toml:1:28: the share of `hard` must be a number from 0 to 1"
