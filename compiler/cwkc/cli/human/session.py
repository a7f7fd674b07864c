"""A run as a person drives it: each line that is typed, and what it is answered. Reads and prints nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from coworkdsl import Environment
from cwkc.cli.human.completion import completions
from cwkc.cli.human.reading import Unreadable, read_arguments, read_text
from cwkc.cli.human.showing import Function, shown_result, shown_tool, shown_tools
from cwkc.meaning.near import did_you_mean

HELP = """\
  TOOL argument=value …  call a tool; quote a text that has spaces, write a list as a,b,c
  TOOL {"argument": …}   call it with a JSON object, as it is
  say TEXT               answer, which ends your turn and, when nobody has anything to add, the run
  remark TEXT            words beside the next call
  tools                  list the tools
  help TOOL              what a tool takes
  done                   end your turns, saying nothing more, until the run is over"""


class Session:
    """`ended`: whether nothing more is to be typed.

    A message of an agent is words, calls or both. Here each call is a message with the remarks before it, so that
    the run is the same when it is replayed as a conversation.
    """

    def __init__(self, environment: Environment, columns: int) -> None:
        self.ended = False
        self._environment = environment
        self._columns = columns
        self._tools: Mapping[str, Function] = {tool["function"]["name"]: tool["function"] for tool in environment.tools}
        self._remarks: list[str] = []
        self._seen: dict[str, None] = {}

    def opening(self) -> str:
        """The request, the tools, and how to go on."""
        limits = ", ".join(f"{most} {name}" for name, most in self._environment.task.limits.items())
        attached = "\n".join(f"  {each.path} ({each.media_type})" for each in self._environment.attachments)
        parts = [
            self._environment.request,
            *([f"attached files:\n{attached}"] * bool(attached)),
            f"tools:\n{shown_tools(self._tools)}",
            *([f"limits: {limits}"] * bool(limits)),
        ]
        return "\n\n".join([*parts, "`help` says what can be typed."])

    def answer(self, line: str) -> str:
        """Does what the line says, and says what came of it. A line that cannot be read costs no call."""
        word, rest = (*line.split(maxsplit=1), "", "")[:2]
        rest = rest.strip()
        if not word:
            return ""
        if word in _COMMANDS:
            return _COMMANDS[word](self, rest)
        if word in self._tools:
            return self._call(word, rest)
        return f"`{word}` is neither a tool nor a command; {self._near(word)}"

    def close(self) -> None:
        """Ends the run. Remarks that no call followed are what was said last."""
        if self._remarks:
            self._speak("")
        self._environment.finish()
        self.ended = True

    def completions(self, before: str, word: str) -> list[str]:
        """What the word that is being typed may become."""
        return completions(before, word, _COMMANDS, self._tools, self._ids)

    # ------------------------------------------------------------------------ what can be typed

    def _call(self, tool: str, typed: str) -> str:
        try:
            arguments = read_arguments(typed, self._tools[tool]["parameters"]["properties"])
        except Unreadable as error:
            return f"{error}"
        self._environment.begin_turn()
        if self._remarks:
            self._environment.say("\n".join(self._remarks), end_turn=False)
            self._remarks.clear()
        result = self._environment.call(tool, arguments)
        self._seen.update(dict.fromkeys(_texts(result)))
        self.ended = self._environment.done
        return shown_result(result, self._columns)

    def _say(self, text: str) -> str:
        if not text:
            return "say what? `done` ends the run without an answer"
        return self._speak(text)

    def _speak(self, text: str) -> str:
        """Says it, and gives what is answered."""
        self._environment.begin_turn()
        reply = self._environment.say("\n".join([*self._remarks, *([read_text(text)] * bool(text))]))
        self._remarks.clear()
        self.ended = self._environment.done
        return reply or ""

    def _remark(self, text: str) -> str:
        if not text:
            return "remark what?"
        self._remarks.append(read_text(text))
        return ""

    def _list_tools(self, _: str) -> str:
        return shown_tools(self._tools)

    def _help(self, tool: str) -> str:
        if not tool:
            return HELP
        return (
            shown_tool(self._tools[tool]) if tool in self._tools else f"no tool is named `{tool}`; {self._near(tool)}"
        )

    def _done(self, _: str) -> str:
        self.ended = True
        return ""

    # ------------------------------------------------------------------------ names

    def _near(self, word: str) -> str:
        return did_you_mean(word, (*self._tools, *_COMMANDS), "`tools` lists the tools, `help` what can be typed")

    def _ids(self, tool: str, argument: str) -> list[str]:
        """The ids of records that a reference may name, among the texts that results showed."""
        record = self._environment.task.offered[tool].signature.references.get(argument)
        if record is None:
            return []
        state = self._environment.trace.final
        return [text for text in self._seen if state.locate(record, text)]


_COMMANDS: Mapping[str, Callable[[Session, str], str]] = {
    "say": Session._say,
    "remark": Session._remark,
    "tools": Session._list_tools,
    "help": Session._help,
    "done": Session._done,
}


def _texts(value: Any) -> Iterator[str]:
    """Every text within a result."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
