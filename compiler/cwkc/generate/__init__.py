"""The model-driven author: from the slots of a plan to tasks that hold.

    slot ── writer ──▶ task ── compiler ──▶ verifier ──▶ grading ── compiler, attacker ──▶ accepted, or set aside

What is wrong goes back to whoever's fault it is, a bounded number of times. Reading order: `filling` (one slot),
`running` (all of them), then what these use.
"""
