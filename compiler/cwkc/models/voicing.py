"""A language model that words what the scripted user says."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from coworkdsl.voice import Line
from cwkc.models.protocol import Message, Model, ModelError

PROMPT = Path(__file__).with_name("prompts") / "voice-1.md"
"""The version is in the name."""

MOST_TOKENS = 512


@frozen
class ModelVoice:
    """Asks a model, which is shown the script's words, the persona and the assistant's last message, and no other fact.

    `failures`: why a model gave no answer; then the words are the script's own.
    """

    model: Model
    failures: list[str] = field(factory=list)

    def __call__(self, line: Line) -> str:
        try:
            return self.model.complete(system_of(line), (Message("user", _last_said(line)),), MOST_TOKENS).text
        except ModelError as error:
            self.failures.append(str(error))
            return line.words


def system_of(line: Line) -> str:
    """The prompt for a line."""
    refused = f"\nYour last try was not good: {line.refused}.\n" if line.refused else ""
    words = {"persona": line.persona or "A colleague.", "language": line.language, "words": line.words}
    text = PROMPT.read_text(encoding="utf-8").replace("{refused}", refused)
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _last_said(line: Line) -> str:
    """What the assistant wrote last."""
    said = (message["content"] for message in reversed(line.messages) if message["role"] == "assistant")
    return next((text for text in said if text), "(nothing)")
