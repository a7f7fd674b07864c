"""An agent for data that shows how to call a tool, and not with what."""

from __future__ import annotations

from random import Random

from coworkdsl import Environment


def guess(environment: Environment) -> None:
    """Calls the one tool with a value that the seed chooses."""
    (tool,) = environment.tools
    ((name, schema),) = tool["function"]["parameters"]["properties"].items()
    environment.begin_turn()
    environment.call(tool["function"]["name"], {name: Random(environment.seed).choice(schema["enum"])})
    environment.begin_turn()
    environment.say("Done.")
    environment.finish()
