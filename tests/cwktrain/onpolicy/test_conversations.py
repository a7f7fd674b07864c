"""A student's own runs in a pack: tools as methods, conversations as tokens, and which tasks it is let into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from coworkdsl import JudgeError, JudgeRequest, Pack, Verdict
from cwktrain.onpolicy.collecting import Collector
from cwktrain.onpolicy.environments import Parts
from cwktrain.onpolicy.office import Office, UnfitTask, open_office
from cwktrain.onpolicy.turns import Episode, Rules, TemplateError
from cwktrain.students import load_tokenizer
from cwktrain.tasks import TaskFacts, facts_of

from .scripted import Script, call, paint

pytestmark = pytest.mark.xdist_group("torch")


def earned(parts: Parts) -> float:
    return parts.reward


@pytest.fixture(scope="module")
def office(lamps: Path, facts: Mapping[str, TaskFacts]) -> Office:
    return open_office(lamps, [facts[task] for task in ("two_lamps", "asked_lamp", "gold_light")], earned, seed=0)


@pytest.fixture(scope="module")
def rules(student: Path) -> Rules:
    return Rules(load_tokenizer(student), None, {}, most_tokens=2000, most_positions=4096, most_answers=20)


def runs(office: Office, rules: Rules, task: str, *plans: Sequence[str]) -> list[Episode]:
    """One run for each plan."""
    script = Script(rules.tokenizer, plans)
    collector = Collector(office, rules, lambda prompts: (script.messages(prompts), None), lambda _: True, 0)
    row = next(row for number in range(9) if (row := office.row(number))["task"] == task)
    return collector.collect([row] * len(plans))[0]


def said(rules: Rules, episode: Episode, by_student: int) -> str:
    ids = [token for token, mark in zip(episode.completion, episode.mask, strict=True) if mark == by_student]
    return str(rules.tokenizer.decode(ids))


# ---------------------------------------------------------------------------- tools


def test_methods_say_what_schemas_say(office: Office) -> None:
    from transformers.utils import get_json_schema

    for made in office.classes.values():
        environment = made()
        public = [name for name in dir(environment) if not name.startswith("_")]
        assert sorted(public) == sorted([*made._names(), "reset", "get_reward"])
        for schema in made._schemas:
            function = get_json_schema(getattr(environment, schema["function"]["name"]))["function"]
            shown = schema["function"]
            assert function["description"] == shown["description"]
            assert function["parameters"].get("required", []) == shown["parameters"]["required"]
            assert {name: _kind(each) for name, each in function["parameters"]["properties"].items()} == {
                name: _kind(each) for name, each in shown["parameters"]["properties"].items()
            }


def test_methods_say_what_the_schemas_of_a_bigger_pack_say(pack: Path) -> None:
    from transformers.utils import get_json_schema

    facts = facts_of(Pack.open(pack))
    big = open_office(pack, [facts["thank_reporter"], facts["flaky_helpdesk"]], earned, seed=0)
    assert len(big.classes) == 2
    functions = {tool.__name__: get_json_schema(tool)["function"] for tool in big.tools()}
    listing = functions["helpdesk_list_tickets"]["parameters"]
    assert listing.get("required", []) == []
    assert listing["properties"]["status"]["enum"] == ["open", "investigating", "resolved", "closed", None]
    assert listing["properties"]["max_results"]["type"] == "integer"
    tags = functions["helpdesk_update_ticket"]["parameters"]["properties"]["tags"]
    assert (tags["type"], tags["items"], tags["nullable"]) == ("array", {"type": "string"}, True)


def _kind(schema: Mapping[str, Any]) -> Any:
    return schema["type"], schema.get("enum"), schema["description"]


def test_a_method_hands_on_whatever_it_is_given(office: Office) -> None:
    environment: Any = office.classes[office.row(0)["environment"]]()
    environment.reset(**office.row(0))
    assert "`colours` is no parameter of this tool" in environment.lamps_look(lamp_id="door", colours=["red"])


# ---------------------------------------------------------------------------- conversations


def test_a_user_answers_words_and_an_environment_answers_calls(office: Office, rules: Rules) -> None:
    plan = ["Which colour?", f"I paint.\n{paint('door', 'blue')}", "Done. Is that all?", "Good bye."]
    (episode,) = runs(office, rules, "asked_lamp", plan)
    assert [message["role"] for message in episode.messages] == [
        *("assistant", "user", "assistant", "tool", "assistant", "user", "assistant"),
    ]
    assert said(rules, episode, 1) == "run 0." + "".join(f"{words}<|im_end|>" for words in plan)
    assert "Blue, please." in said(rules, episode, 0)
    assert '{"lamp_id": "door", "colour": "blue"}' in said(rules, episode, 0)
    assert episode.environment.get_reward() == 1.0
    # What training sees is what the run's conversation would be rendered as.
    run = episode.environment._run
    whole = rules.tokenizer.apply_chat_template(run.messages, tools=run.tools, tokenize=False)
    assert rules.tokenizer.decode(episode.prompt + episode.completion) + "\n" == whole


def test_what_does_not_fit_a_tool_reaches_the_environment(office: Office, rules: Rules) -> None:
    plan = [call("lamps_break"), call("lamps_paint", lamp_id="door"), call("lamps_paint", lamp="door"), "Done."]
    (episode,) = runs(office, rules, "two_lamps", plan)
    trace = episode.environment._run.trace
    assert [entry.result["error"]["code"] for entry in trace.calls] == [
        "unknown_tool",
        "invalid_arguments",
        "invalid_arguments",
    ]
    assert (episode.calls, episode.refused) == (3, 3)


def test_a_run_ends_where_its_budget_does(office: Office, rules: Rules) -> None:
    plan = [paint("door", "gold"), paint("gate", "gold"), "Done."]
    (whole,) = runs(office, rules, "two_lamps", plan)
    first, second, _ = whole.turns
    assert whole.environment.get_reward() == 1.0
    for most_tokens, turns, reward in (
        (first.stop - 4, 1, 0.0),  # the first call is cut off
        (second.start, 1, 0.75),  # its result leaves no room for a message
        (second.start + 1, 2, 0.75),  # the second message is cut off
        (second.stop, 2, 1.0),
    ):
        (episode,) = runs(office, evolve(rules, most_tokens=most_tokens), "two_lamps", plan)
        assert len(episode.completion) <= most_tokens
        assert (len(episode.turns), episode.environment.get_reward()) == (turns, reward)
    (episode,) = runs(office, evolve(rules, most_answers=1), "two_lamps", plan)
    assert len(episode.turns) == 2
    narrow = evolve(rules, most_positions=len(whole.prompt) + second.start)
    assert len(runs(office, narrow, "two_lamps", plan)[0].turns) == 1


def test_states_are_equal_where_the_same_was_read_and_done(office: Office, rules: Rules) -> None:
    look = call("lamps_look", lamp_id="roof")
    gold, red = paint("door", "gold"), paint("door", "red")
    plans = [
        [look, gold, "Done."],
        [gold, look, "Done."],
        [red, look, "Done."],
        [gold, "Done."],
        [look, look, gold, "Done."],
    ]
    states = [[turn.state for turn in episode.turns] for episode in runs(office, rules, "two_lamps", *plans)]
    assert len({of_run[0] for of_run in states}) == 1
    assert states[0][2] == states[1][2] != states[2][2]
    assert states[3][1] == states[1][1]
    assert states[4][1] == states[4][2] == states[0][1]
    assert states[4][3] == states[0][2]


def test_log_probabilities_keep_their_places(office: Office, rules: Rules) -> None:
    plan = [paint("door", "gold"), "Done."]
    script = Script(rules.tokenizer, [plan])

    def speak(prompts: list[list[int]]) -> Any:
        written = script.messages(prompts)
        return written, [[-1.0 - place for place in range(len(ids))] for ids in written]

    row = next(row for number in range(9) if (row := office.row(number))["task"] == "two_lamps")
    (episode,) = Collector(office, rules, speak, lambda _: True, 0).collect([row])[0]
    assert episode.probabilities is not None
    assert [value < 0 for value in episode.probabilities] == [mark == 1 for mark in episode.mask]
    last = episode.turns[-1]
    assert episode.probabilities[last.start] == -1.0


def test_answers_are_rendered_as_a_template_of_qwen_does(rules: Rules) -> None:
    """One that renders earlier messages otherwise once the user spoke again."""
    from trl.chat_template_utils import qwen3_training_chat_template

    qwen = evolve(rules, chat_template=qwen3_training_chat_template)
    words = qwen.behind([{"role": "user", "content": "Blue, cwk-mark."}])
    results = qwen.behind([{"role": "tool", "name": "lamps_look", "content": content} for content in ("1", "2")])
    assert [rules.tokenizer.decode(ids) for ids in (words, results)] == [
        "\n<|im_start|>user\nBlue, cwk-mark.<|im_end|>\n<|im_start|>assistant\n",
        "\n<|im_start|>user\n<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n",
    ]


def test_a_template_without_an_end_is_refused(rules: Rules) -> None:
    endless = evolve(rules, chat_template="{% for message in messages %}{{ message['content'] }}{% endfor %}")
    with pytest.raises(TemplateError, match="end-of-sequence token"):
        endless.behind([{"role": "user", "content": "Blue, please."}])


# ---------------------------------------------------------------------------- tasks


def test_tasks_come_in_passes_with_seeds_of_their_own(office: Office) -> None:
    rows = [office.row(number) for number in range(9)]
    assert Counter(row["task"] for row in rows) == dict.fromkeys(("two_lamps", "asked_lamp", "gold_light"), 3)
    assert [row["seed"] for row in rows] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert rows == [office.row(number) for number in range(9)]
    assert [row["task"] for row in rows] != [evolve(office, seed=1).row(number)["task"] for number in range(9)]


def test_a_task_that_a_student_cannot_do_is_refused(pack: Path) -> None:
    receipt = facts_of(Pack.open(pack))["expense_receipt"]
    with pytest.raises(UnfitTask, match="`expense_receipt` shows files"):
        open_office(pack, [receipt], earned, seed=0)


def test_a_prompt_that_is_too_long_is_refused(office: Office, rules: Rules) -> None:
    with pytest.raises(UnfitTask, match=r"`two_lamps` has \d+ tokens, and the student takes 202"):
        runs(office, evolve(rules, most_positions=202), "two_lamps", ["Done."])


def test_a_judge_scores_runs_or_their_task_is_refused(
    lamps: Path, facts: Mapping[str, TaskFacts], rules: Rules
) -> None:
    judged = facts["judged_light"]
    with pytest.raises(UnfitTask, match="name one by `judge`"):
        open_office(lamps, [judged], earned, seed=0)
    asked = []

    def judge(request: JudgeRequest) -> Verdict:
        asked.append(request)
        if len(asked) > 1:
            raise JudgeError("gone")
        return Verdict(Fraction(1), "Very kindly.")

    office = open_office(lamps, [judged], earned, seed=0, judge=judge)
    plan = [call("beacon_shine", hue="gold"), "With pleasure: done."]
    first, second = (episode.environment for episode in runs(office, rules, "judged_light", plan, plan))
    assert (first.get_reward(), first.get_reward(), len(asked)) == (1.0, 1.0, 1)
    assert second.get_reward() is None
    assert "no score without a verdict on `kind`" in (second._failure or "")
