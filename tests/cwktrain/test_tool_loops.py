"""Models that call tools over loopback, spoken to by the providers' own packages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from coworkdsl import Attachment
from cwkc.models import ModelError, Sampling, open_tool_model
from cwktrain.episodes import Episode, Setup, run_episode
from cwktrain.limits import Limits
from cwktrain.rollouts import Plan, roll_out
from cwktrain.runs import RunRecord
from cwktrain.store import RunStore
from tests.cwkc.models.server import BUSY, CUT, Answer, Failure, Server, serving

Calls = Sequence[tuple[str, str]]


def anthropic(words: str = "", calls: Calls = (), stop: str = "end_turn") -> bytes:
    texts = [{"type": "text", "text": words}] if words else []
    uses = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": json.loads(arguments)}
        for number, (name, arguments) in enumerate(calls)
    ]
    usage = {"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 7}
    return json.dumps({"content": [*texts, *uses], "stop_reason": stop, "usage": usage}).encode()


def openai(words: str = "", calls: Calls = (), stop: str = "stop") -> bytes:
    uses = [
        {"id": f"any-{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": words or None, "tool_calls": uses or None}
    usage = {"prompt_tokens": 107, "completion_tokens": 10}
    return json.dumps({"choices": [{"message": message, "finish_reason": stop}], "usage": usage}).encode()


class Provider(NamedTuple):
    name: str
    said: Callable[..., bytes]
    too_long: Failure
    refused: bytes


PROVIDERS = [
    Provider(
        "anthropic",
        anthropic,
        Failure(400, b'{"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long"}}'),
        anthropic("", (), "refusal"),
    ),
    Provider(
        "openai",
        openai,
        Failure(400, b'{"error": {"code": "context_length_exceeded", "message": "the maximum context length is 9"}}'),
        json.dumps({"choices": [{"message": {"content": None, "refusal": "I cannot help with that."}}]}).encode(),
    ),
]
READ = ("helpdesk_get_ticket", '{"ticket_id": "TK-821"}')
LIST = ("helpdesk_list_tickets", "{}")

each_provider = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)


def setup(provider: Provider, server: Server, pack: Path, monkeypatch: pytest.MonkeyPatch, **others: Any) -> Setup:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    agent = "anthropic:teacher" if provider.name == "anthropic" else f"openai:teacher@{server.url}/v1"
    # One process keeps what it opened: the digest tells servers apart whose address is not in the name of the agent.
    return Setup(pack, server.url, agent, **others)


def ran(
    provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch, *answers: Answer, **others: Any
) -> tuple[RunRecord, list[dict[str, Any]]]:
    """The run of a dialogue with these answers, and what the server was asked."""
    with serving(*answers) as server:
        run = run_episode(setup(provider, server, pack, monkeypatch, **others), Episode("locked_out", 0))
        return run, [document for _, document in server.asked]


def roles(document: dict[str, Any]) -> list[str]:
    return [message["role"] for message in document["messages"]]


@each_provider
def test_calls_made_together_are_answered_together(
    provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = provider.said
    answers = (said("Let me look.", [READ, LIST]), said("What is the number?"), said("Done."), said(""))
    run, asked = ran(provider, pack, monkeypatch, *answers)
    assert (run.status, run.error) == ("scored", None)
    assert [message["role"] for message in run.messages[:6]] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "user",
    ]
    first = run.messages[1]
    assert first["content"] == "Let me look."
    assert [call["function"]["name"] for call in first["tool_calls"]] == [READ[0], LIST[0]]
    assert "LT-4471" in run.messages[5]["content"]
    assert (run.costs.tokens_read, run.costs.tokens_written) == (107 * len(asked), 10 * len(asked))
    if provider.name == "anthropic":
        assert roles(asked[2]) == ["user", "assistant", "user", "assistant", "user"]
        results = asked[2]["messages"][2]["content"]
        assert [each["type"] for each in results] == ["tool_result", "tool_result"]
        uses = [each["id"] for each in asked[2]["messages"][1]["content"] if each["type"] == "tool_use"]
        assert [each["tool_use_id"] for each in results] == uses
        assert {tool["name"] for tool in asked[0]["tools"]} == {each["function"]["name"] for each in run.tools}
    else:
        assert roles(asked[2]) == [message["role"] for message in run.messages[:6]]
        assert asked[0]["tools"] == list(run.tools)


@each_provider
def test_arguments_that_are_no_object_are_an_error_that_the_model_reads(
    provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ("helpdesk_get_ticket", '["TK-821"]' if provider.name == "anthropic" else '{"ticket_id": "TK-8')
    run, asked = ran(provider, pack, monkeypatch, provider.said("", [broken]), provider.refused)
    assert json.loads(run.messages[2]["content"])["error"]["code"]
    assert run.messages[1]["tool_calls"][0]["function"]["arguments"] == broken[1]
    sent = asked[1]["messages"][1]
    if provider.name == "anthropic":
        assert sent["content"][0]["input"] == {"unreadable_arguments": broken[1]}
    else:
        assert json.loads(sent["tool_calls"][0]["function"]["arguments"]) == {"unreadable_arguments": broken[1]}


@each_provider
def test_who_refuses_is_scored(provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = ran(provider, pack, monkeypatch, provider.refused)
    assert (run.status, run.reward, len(asked)) == ("scored", 0.0, 1)


@each_provider
def test_a_busy_server_is_asked_again(provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = ran(provider, pack, monkeypatch, BUSY, BUSY, provider.refused)
    assert (run.status, len(asked)) == ("scored", 3)


@each_provider
@pytest.mark.parametrize(
    ("answer", "reason"),
    [(Failure(401, b'{"error": {}}'), "AuthenticationError"), (b"[]", "no text"), (b"<p>", "JSON")],
)
def test_a_server_that_fails_leaves_no_score(
    provider: Provider, answer: Answer, reason: str, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = ran(provider, pack, monkeypatch, provider.said("", [LIST]), answer)
    assert (run.status, run.score) == ("invalid", None)
    assert reason in (run.error or "")
    assert len(run.messages) == 3


@each_provider
def test_a_connection_that_is_cut_is_tried_anew(
    provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cuts = [CUT] * 6
    with serving(provider.said("", [LIST]), *cuts, provider.refused) as server, RunStore(tmp_path / "runs") as store:
        monkeypatch.setattr("anthropic._base_client.INITIAL_RETRY_DELAY", 0.001)
        monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
        told: list[RunRecord] = []
        plan = Plan(setup(provider, server, pack, monkeypatch), ("locked_out",), 1, retries=1)
        assert roll_out(plan, store, told.append) == {"before": 0, "scored": 1}
    assert [(run.attempt, run.status) for run in told] == [(0, "invalid"), (1, "scored")]
    assert "APIConnectionError" in (told[0].error or "")


@each_provider
def test_a_conversation_that_outgrows_the_model_ends_there(
    provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, asked = ran(provider, pack, monkeypatch, provider.said("", [LIST]), provider.too_long)
    assert (run.status, run.stopped, run.reward, len(asked)) == ("scored", "context", 0.0, 2)


@each_provider
def test_a_run_that_writes_too_much_ends(provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(turns=None, calls=None, tokens=25)
    run, asked = ran(provider, pack, monkeypatch, provider.said("", [LIST]), limits=limits)
    assert (run.status, run.stopped, run.costs.tokens_written, len(asked)) == ("scored", "tokens", 30, 3)


@each_provider
def test_sampling_is_asked_for(provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, asked = ran(provider, pack, monkeypatch, provider.refused, sampling=Sampling(123, 0.5))
    assert (asked[0]["model"], asked[0]["max_tokens"], asked[0]["temperature"]) == ("teacher", 123, 0.5)
    _, asked = ran(provider, pack, monkeypatch, provider.refused)
    assert "temperature" not in asked[0]


@each_provider
def test_a_model_is_shown_the_files(provider: Provider, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(provider.refused) as server:
        run_episode(setup(provider, server, pack, monkeypatch), Episode("expense_receipt", 0))
        ((_, document),) = server.asked
    shown, request = document["messages"][0]["content"]
    assert request["type"] == "text"
    assert shown["type"] == ("image" if provider.name == "anthropic" else "image_url")
    assert "iVBORw0KGgo" in json.dumps(shown)


@each_provider
@pytest.mark.parametrize("media_type", ["text/csv", "application/pdf", "audio/wav"])
def test_files_that_a_model_cannot_read_are_refused(
    provider: Provider, media_type: str, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = [{"role": "user", "content": "Read it."}]
    is_shown = media_type == "text/csv" or (media_type, provider.name) == ("application/pdf", "anthropic")
    with serving(provider.said("Yes.")) as server:
        model = open_tool_model(setup(provider, server, pack, monkeypatch).agent, Sampling())
        files = [Attachment("notes", media_type, b"%PDF a,b", "notes")]
        if is_shown:
            assert model.answer(request, [], files, 5.0).words == "Yes."
            assert len(server.asked[0][1]["messages"][0]["content"]) == 2
        else:
            with pytest.raises(ModelError, match=f"`notes` of type {media_type} cannot be shown"):
                model.answer(request, [], files, 5.0)
            assert server.asked == []


def test_a_judge_makes_a_score(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with serving('{"reason": "clear", "score": 0.5}') as server:
        judged = Setup(pack, "digest", "witness", judge=f"openai:judge@{server.url}/v1")
        run = run_episode(judged, Episode("expense_receipt", 0))
    assert run.status == "scored"
    assert run.score is not None
    assert [judgement["score"] for judgement in run.score["judges"]] == [0.5]
    assert 0 < run.completion < 1


def test_many_conversations_share_a_process(pack: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    provider = PROVIDERS[1]
    answer = provider.said("", [LIST])
    with serving(answer) as server, RunStore(tmp_path / "runs") as store:
        plan = Plan(setup(provider, server, pack, monkeypatch, limits=Limits(turns=3)), ("locked_out",), 8, jobs=4)
        assert roll_out(plan, store, lambda run: None) == {"before": 0, "scored": 8}
        assert len(server.asked) == 24
