"""Run packs of agent tasks: environments whose reset and calls cost microseconds, and their scores.

pack = Pack.open("dist")
env = pack.env("escalate_stale_enterprise", seed=0)
env.tools                                                 # JSON Schemas, ready for a chat template
env.call("helpdesk_get_ticket", {"ticket_id": "TK-301"})  # a result, or a declared error, never an exception
env.say("Done: TK-301 is urgent.")                        # ends the agent's turn: the user's answer, an event, or None
env.score()                                               # completion, safety, robustness, reward, evidence
"""

from coworkdsl.attachments import Attachment
from coworkdsl.chat import export_run, replay, replay_run
from coworkdsl.environment import Environment
from coworkdsl.files import PackError
from coworkdsl.judging import Evidence, Judge, JudgeError, Judgement, JudgeRequest, Verdict
from coworkdsl.pack import Pack
from coworkdsl.run import Call, Run, RunError
from coworkdsl.score import Outcome, Score, UnscoredError
from coworkdsl.task import Task

__all__ = [
    "Attachment",
    "Call",
    "Environment",
    "Evidence",
    "Judge",
    "JudgeError",
    "JudgeRequest",
    "Judgement",
    "Outcome",
    "Pack",
    "PackError",
    "Run",
    "RunError",
    "Score",
    "Task",
    "UnscoredError",
    "Verdict",
    "export_run",
    "replay",
    "replay_run",
]
