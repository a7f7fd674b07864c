"""A tiny student that has learned how to let the tower flash, and in which hue it does not care."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coworkdsl import Environment, Pack
from cwktrain.students import load_model, load_tokenizer, save_student

from ..tiny import tiny_student
from .scripted import call
from .yard import YARD

STEPS = 150
HUES = ("red", "green", "blue", "gold")


def apprentice(folder: Path, pack: Path) -> Path:
    """Writes the student, trained from nothing on one run for each hue."""
    import torch

    environment = Pack.open(pack).env("gold_light")
    calls = [call("beacon_shine", hue=hue) for hue in HUES]
    blank = tiny_student(folder.with_name("blank"), [YARD, *calls * 30])
    tokenizer, model = load_tokenizer(blank), load_model(blank)
    rows = [_demonstration(tokenizer, environment, hue) for hue in HUES]
    longest = max(len(ids) for ids, _ in rows)
    padded = [ids + [tokenizer.pad_token_id] * (longest - len(ids)) for ids, _ in rows]
    marks = [mask + [0] * (longest - len(mask)) for _, mask in rows]
    ids, mask = torch.tensor(padded), torch.tensor(marks).bool()
    labels = ids.masked_fill(~mask, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(ids, labels=labels).loss.backward()
        optimizer.step()
        schedule.step()
    save_student(model, tokenizer, folder)
    return folder


def _demonstration(tokenizer: Any, environment: Environment, hue: str) -> tuple[list[int], list[int]]:
    """The tokens of a run, and 1 for each that the student is to write."""
    messages = [
        {"role": "user", "content": environment.request},
        {"role": "assistant", "content": call("beacon_shine", hue=hue)},
        {"role": "tool", "name": "beacon_shine", "content": f'{{"flash_id": "F-1", "hue": "{hue}"}}'},
        {"role": "assistant", "content": "Done."},
    ]
    rendered = tokenizer.apply_chat_template(
        messages, tools=environment.tools, return_dict=True, return_assistant_tokens_mask=True, tokenize=True
    )
    return rendered["input_ids"], rendered["assistant_masks"]
