"""Chat templates of every shape become such that training can rely on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cwktrain.rendering import prompt, render
from cwktrain.students import StudentUnavailable, load_model, load_tokenizer, save_student
from cwktrain.templates import is_fit

from .tiny import tiny_student

pytestmark = pytest.mark.xdist_group("torch")

PARAMETERS = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The ticket's id"},
        "tags": {"type": ["array", "null"], "items": {"type": "string", "enum": ["new", "old"]}},
        "due": {"type": ["string", "null"], "format": "date"},
        "most": {"type": "integer", "default": 5},
        "place": {"type": "object", "properties": {"row": {"type": "integer"}}},
    },
    "required": ["id"],
}
TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "desk_get", "description": "Read one.", "parameters": PARAMETERS}},
    {"type": "function", "function": {"name": "desk_list", "parameters": {"type": "object", "properties": {}}}},
]


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": name, "arguments": arguments}}


MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Read T-1."},
    {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": [call("desk_get", id="T-1", most=2), call("desk_list")],
    },
    {"role": "tool", "name": "desk_get", "tool_call_id": "desk_get", "content": '{"title": "Größe"}'},
    {"role": "tool", "name": "desk_list", "tool_call_id": "desk_list", "content": "[]"},
    {"role": "assistant", "content": "It is about\n\nthe size."},
]
PLAIN = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
"""Of a model that knows nothing of tools."""

OURS = """\
<|im_start|>system
Be brief.
# Tools

## desk_get
Read one.
- id: string. The ticket's id
- tags: array|null of string, one of ["new", "old"], optional
- due: string|null (date), optional
- most: integer, optional, default 5
- place: object of {"row": {"type": "integer"}}, optional

## desk_list

A call: <tool_call>
{"name": "the tool", "arguments": {}}
</tool_call><|im_end|>
<|im_start|>user
Read T-1.<|im_end|>
<|im_start|>assistant
Let me look.
<tool_call>
{"name": "desk_get", "arguments": {"id": "T-1", "most": 2}}
</tool_call>
<tool_call>
{"name": "desk_list", "arguments": {}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"title": "Größe"}
</tool_response><|im_end|>
<|im_start|>user
<tool_response>
[]
</tool_response><|im_end|>
<|im_start|>assistant
It is about

the size.<|im_end|>
"""


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_student(tmp_path_factory.mktemp("students") / "tiny", [OURS])


def known(name: str) -> str:
    from trl import chat_template_utils

    return str(getattr(chat_template_utils, f"{name}_chat_template"))


def with_template(student: Path, template: str | None, folder: Path, **special: str | None) -> Any:
    """The student's tokenizer, loaded from a folder where it has that template."""
    from transformers import AutoTokenizer

    load_model(student).save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(student)
    tokenizer.chat_template = template
    for name, token in special.items():
        setattr(tokenizer, name, token)
    tokenizer.save_pretrained(folder)
    return load_tokenizer(folder)


def test_ours_says_everything(student: Path) -> None:
    tokenizer = load_tokenizer(student)
    assert render(tokenizer, MESSAGES, TOOLS).text == OURS
    alone = [{"role": "user", "content": "Hi."}]
    assert render(tokenizer, alone, []).text == "<|im_start|>user\nHi.<|im_end|>\n"


@pytest.mark.parametrize(
    "template",
    [None, PLAIN, "{{ raise_exception('no') }}", "qwen3", "qwen2_5", "qwen3_instruct_2507", "qwen3_5_think", "glm4moe"],
)
def test_what_is_rendered_can_be_read_back(template: str | None, student: Path, tmp_path: Path) -> None:
    from trl.chat_template_utils import parse_response

    is_name = template is not None and template.isidentifier()
    tokenizer = with_template(student, known(template) if is_name and template else template, tmp_path / "loaded")
    assert is_fit(tokenizer)
    read = render(tokenizer, MESSAGES, TOOLS)
    for place in (2, 5):
        shown = prompt(tokenizer, MESSAGES[:place], TOOLS)
        whole = render(tokenizer, MESSAGES[: place + 1], TOOLS)
        assert whole.ids[: len(shown)] == shown
        written = [token for token, bit in zip(whole.ids, whole.mask, strict=True) if bit][
            sum(whole.mask[: len(shown)]) :
        ]
        parsed = parse_response(tokenizer, written, prefix=shown, tools=TOOLS)
        assert parsed["content"] == MESSAGES[place]["content"]
        functions = [each["function"] for each in parsed.get("tool_calls", ())]
        assert functions == [each["function"] for each in MESSAGES[place].get("tool_calls", ())]
    assert all(word in read.text for word in ("desk_get", "desk_list", "The ticket's id", "Größe"))


@pytest.mark.parametrize(("name", "is_known"), [("qwen3", True), ("qwen2_5", True), ("llama3", False), ("phi3", False)])
def test_a_template_that_is_known_is_mended_and_others_are_replaced(
    name: str, is_known: bool, student: Path, tmp_path: Path
) -> None:
    tokenizer = with_template(student, known(name), tmp_path / "loaded")
    ours = load_tokenizer(student).chat_template
    assert (tokenizer.chat_template == ours) is not is_known
    assert tokenizer.chat_template != known(name)


def test_a_template_that_is_fit_stays(student: Path, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(student)
    tokenizer.chat_template = tokenizer.chat_template.replace("A call:", "To call:")
    save_student(load_model(student), tokenizer, tmp_path / "kept")
    kept = load_tokenizer(tmp_path / "kept")
    assert (kept.chat_template, kept.response_template) == (tokenizer.chat_template, tokenizer.response_template)


def test_turns_end_with_the_tokenizers_own_end(student: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    changed = (student / "tokenizer.json").read_text(encoding="utf-8").replace("<|im_end|>", "</s>")
    (tmp_path / "source").mkdir()
    for file in student.iterdir():
        (tmp_path / "source" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "source" / "tokenizer.json").write_text(changed, encoding="utf-8")
    settings = tmp_path / "source" / "tokenizer_config.json"
    settings.write_text(settings.read_text(encoding="utf-8").replace("<|im_end|>", "</s>"), encoding="utf-8")
    tokenizer = load_tokenizer(tmp_path / "source")
    assert is_fit(tokenizer)
    assert render(tokenizer, MESSAGES, TOOLS).text == OURS.replace("<|im_end|>", "</s>")
    endless = AutoTokenizer.from_pretrained(tmp_path / "source")
    endless.eos_token = None
    endless.save_pretrained(tmp_path / "source")
    with pytest.raises(StudentUnavailable, match="no token that ends a turn"):
        load_tokenizer(tmp_path / "source")
