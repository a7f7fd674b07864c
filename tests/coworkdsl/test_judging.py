"""Judges: what a score is without their verdicts and with them, and what they are shown."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from coworkdsl import Environment, JudgeError, JudgeRequest, Pack, Score, UnscoredError, Verdict, export_run

from .test_schemas import validator

GRADER = """
from coworkdsl import runtime as rt

CHECKS = (
    rt.Check(
        "reports",
        rt.Fraction(1, 2),
        test=lambda run: rt.contains(run.answer, "TK-3"),
        evidence=lambda run: (),
        place="t.cwk:1",
    ),
)
REQUIREMENTS = (
    rt.Requirement(
        "stays polite",
        test=lambda run: not rt.contains(run.answer, "idiot"),
        mode="cap",
        amount=rt.Fraction(3, 5),
        evidence=lambda run: (),
        place="t.cwk:2",
    ),
)
FORBIDS = (
    rt.Forbid(
        "swears",
        test=lambda run: rt.contains(run.answer, "damn"),
        safety=rt.Fraction(0),
        evidence=lambda run: (),
        place="t.cwk:3",
    ),
)
JUDGES = (
    rt.Rubric("is clear", weight=rt.Fraction(3, 10), text="Full marks for one sentence.", place="t.cwk:4"),
    rt.Rubric("is kind", weight=rt.Fraction(1, 5), text="Full marks for thanks.", place="t.cwk:5"),
)
DELIVERABLES = {"report": lambda run: run.answer, "table": lambda run: None}
"""
FALLING = """
def reward(completion, safety, robustness):
    return 1 - completion
"""


@pytest.fixture
def judged_env(desk_files: dict[str, str]) -> Environment:
    return Pack.from_files(desk_files | {"tasks/triage/grader.py": GRADER}).env("triage")


def giving(**scores: Any) -> Callable[[JudgeRequest], Verdict]:
    """A judge that gives these scores, by what a label says beside `is`; an exception is raised."""

    def judge(request: JudgeRequest) -> Verdict:
        score = scores[request.label.removeprefix("is ")]
        if isinstance(score, Exception):
            raise score
        return Verdict(Fraction(score) if not isinstance(score, float) else score, f"because of {request.rubric}")

    return judge


def quantities(score: Score) -> tuple[Fraction, ...]:
    lower, upper = score.lower, score.upper
    return lower.completion, upper.completion, lower.reward, upper.reward


def test_without_a_judge_a_score_has_bounds_and_no_number(judged_env: Environment) -> None:
    judged_env.say("TK-3 is done.")
    score = judged_env.score()
    assert quantities(score) == (Fraction(1, 2), 1, Fraction(1, 2), 1)
    assert [(each.rubric.label, each.reason) for each in score.unscored] == [
        ("is clear", "no judge was asked"),
        ("is kind", "no judge was asked"),
    ]
    for name in ("exact", "completion", "reward"):
        with pytest.raises(UnscoredError, match="`is clear`, `is kind`"):
            getattr(score, name)
    assert score.safety == 1


def test_verdicts_add_their_share_of_the_weight(judged_env: Environment) -> None:
    judged_env.say("TK-3 is done.")
    score = judged_env.score(giving(clear="1/3", kind=1))
    assert score.exact.completion == score.exact.reward == Fraction(4, 5)
    assert score.unscored == ()
    assert [each.reason for each in score.judges] == [
        "because of Full marks for one sentence.",
        "because of Full marks for thanks.",
    ]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (JudgeError("the line is dead"), "the line is dead"),
        ("3/2", "the judge's score is 3/2, which does not lie between 0 and 1"),
        ("-1/100", "the judge's score is -1/100, which does not lie between 0 and 1"),
        (float("nan"), "the judge's score is nan, which does not lie between 0 and 1"),
    ],
    ids=["error", "above", "below", "nan"],
)
def test_a_judge_that_fails_leaves_one_rubric_unscored(judged_env: Environment, failure: Any, reason: str) -> None:
    judged_env.say("TK-3 is done.")
    score = judged_env.score(giving(clear=failure, kind=1))
    assert quantities(score) == (Fraction(7, 10), 1, Fraction(7, 10), 1)
    assert [each.reason for each in score.unscored] == [reason]


def test_another_exception_is_a_bug_and_stays_one(judged_env: Environment) -> None:
    with pytest.raises(ZeroDivisionError):
        judged_env.score(giving(clear=ZeroDivisionError(), kind=1))


def test_caps_and_gates_bind_both_bounds(judged_env: Environment) -> None:
    judged_env.say("TK-3 is done, you damn idiot.")
    assert quantities(judged_env.score()) == (Fraction(1, 2), Fraction(3, 5), 0, 0)
    assert judged_env.score().reward == 0
    assert judged_env.score(giving(clear=1, kind=1)).exact.completion == Fraction(3, 5)


def test_a_reward_that_falls_with_completion_has_its_bounds_in_order(desk_files: dict[str, str]) -> None:
    env = Pack.from_files(desk_files | {"tasks/triage/grader.py": GRADER + FALLING}).env("triage")
    assert quantities(env.score()) == (0, Fraction(1, 2), Fraction(1, 2), 1)


@given(clear=st.fractions(0, 1, max_denominator=20), kind=st.none() | st.fractions(0, 1, max_denominator=20))
def test_a_verdict_never_leaves_the_bounds(desk_files: dict[str, str], clear: Fraction, kind: Fraction | None) -> None:
    env = Pack.from_files(desk_files | {"tasks/triage/grader.py": GRADER}).env("triage")
    env.say("TK-3")
    open_, judged = env.score(), env.score(giving(clear=clear, kind=JudgeError("none") if kind is None else kind))
    for name in ("completion", "safety", "robustness", "reward"):
        least, most = getattr(judged.lower, name), getattr(judged.upper, name)
        assert getattr(open_.lower, name) <= least <= most <= getattr(open_.upper, name)
        assert least == most or kind is None


def test_a_judge_is_shown_what_the_run_leaves(judged_env: Environment) -> None:
    asked: list[JudgeRequest] = []

    def judge(request: JudgeRequest) -> Verdict:
        asked.append(request)
        return Verdict(Fraction(1), "")

    judged_env.call("mail_send_message", {"to": "ines@ourco.test", "subject": "TK-3", "body": "Critical now."})
    judged_env.say("TK-3 is critical.")
    judged_env.score(judge)
    assert [(each.task, each.label, each.rubric) for each in asked] == [
        ("triage", "is clear", "Full marks for one sentence."),
        ("triage", "is kind", "Full marks for thanks."),
    ]
    evidence = asked[0].evidence
    assert evidence.answer == "TK-3 is critical."
    assert evidence.messages == judged_env.messages
    assert evidence.deliverables == {"report": "TK-3 is critical.", "table": None}
    ((store, (record,)),) = evidence.records.items()
    assert (store, record["to"], record["body"]) == ("mail.sent", "ines@ourco.test", "Critical now.")


def test_a_kept_run_says_what_is_not_known(judged_env: Environment) -> None:
    judged_env.say("TK-3")
    document = json.loads(json.dumps(export_run(judged_env)))
    schema: Draft202012Validator = validator("run")
    schema.validate(document)
    score = document["score"]
    assert (score["completion"], score["safety"], score["reward"]) == (None, 1, None)
    assert (score["bounds"]["lower"]["reward"], score["bounds"]["upper"]["reward"]) == (0.5, 1)
    assert [(each["score"], each["reason"]) for each in score["judges"]] == [(None, "no judge was asked")] * 2
    scored = document | {"score": judged_env.score(giving(clear=1, kind="1/2")).to_json()}
    schema.validate(scored)
    assert (scored["score"]["completion"], "bounds" in scored["score"]) == (0.9, False)
    assert not schema.is_valid(document | {"score": {**score, "bounds": None}})
    del score["bounds"]
    assert not schema.is_valid(document), "what is null has bounds"
