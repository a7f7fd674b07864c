"""What the members of a family cost: a build of a few, of a thousand and of ten thousand, beside one another.

    python benchmarks/families.py [MEMBERS...]

Each build is a process of its own. The ratios are what to compare: the highest memory beside that of the smallest
build, and the CPU time of each further member beside that of one which is given to the solver and rehearsed, as the
first two hundred are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SIZES = (200, 1_000, 10_000)

FAMILY = """cwk 1

use crm, helpdesk

family stale(tier: crm.Tier in [enterprise, vip, core], hours: int in 50 to 90, day: date in 2026-03-02 to 2026-06-30) {
  now: 2026-07-14T09:00:00Z

  request $"One of our {tier} accounts has a ticket older than two days. Set it to critical."

  tools crm, helpdesk

  data crm.customers {
    @CUS-300 { name: pick company, tier: tier, last_contact_date: day }
    @CUS-201 { name: pick company, tier: standard }
  }
  data helpdesk.tickets { @TK-900 { customer_id: @CUS-300, title: pick ticket_title, created_at: now - hours * 1h } }

  let target = only t in helpdesk.tickets
               where t.status == open and now - t.created_at > 48h and t.customer_id.tier == tier
  distract 6 helpdesk.tickets near target

  check 0.3 "reads it"            called helpdesk.get_ticket(ticket_id: target)
  check 0.7 "sets it to critical" target.priority == critical
  forbid "closes one"             tried helpdesk.close_ticket
  only changes target.priority
  given 2d
  given tier
}
"""


def measured(members: int, folder: Path) -> tuple[float, int]:
    """CPU seconds, and the most memory in KiB that any build up to this one has needed."""
    before = getrusage(RUSAGE_CHILDREN)
    path = os.pathsep.join(str(each) for each in (ROOT, ROOT / "compiler"))
    command = [sys.executable, "-m", "cwkc", "build", "stale.cwk", "-o", f"pack{members}", "--members", str(members)]
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss


def main(sizes: tuple[int, ...]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stale.cwk").write_text(FAMILY, encoding="utf-8")
        rows = [(members, *measured(members, folder)) for members in sorted(sizes)]
    first, seconds, memory = rows[0]
    print(f"{'members':>8}{'CPU s':>9}{'members/s':>11}{'a further one costs':>21}{'memory':>8}")
    for members, spent, most in rows:
        further = (spent - seconds) / (members - first) / (seconds / first) if members > first else 1
        print(f"{members:8}{spent:9.1f}{members / spent:11.1f}{further:21.2f}{most / memory:8.2f}")


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
