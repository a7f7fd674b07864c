"""Service `helpdesk`, written by hand in the form of emitted code."""

from coworkdsl import runtime as rt

_PRIORITY = {"enum": ["low", "medium", "high", "critical"]}
_STATUS = {"enum": ["open", "closed"]}
_DAY = rt.parse_duration("PT24H")


def list_tickets(w, status, max_results):
    found = [(id, t) for id, t in w.rows("helpdesk.tickets") if status is None or rt.eq(t["status"], status)]
    found = rt.ordered(found, key=lambda pair: pair[1]["created_at"], descending=True)
    return rt.views(w, "helpdesk.Ticket", ("title", "priority", "tags"), (id for id, _ in rt.first(found, max_results)))


def get_ticket(w, ticket_id):
    return rt.record(w, "helpdesk.Ticket", ticket_id)


def update_ticket(w, ticket_id, priority, tags, assigned_to):
    if rt.eq(w.field("helpdesk.Ticket", ticket_id, "status"), "closed"):
        raise rt.Fail("closed", "a closed ticket cannot be changed")
    w.update("helpdesk.Ticket", ticket_id, rt.given({"priority": priority, "tags": tags, "assigned_to": assigned_to}))
    return rt.record(w, "helpdesk.Ticket", ticket_id)


def charge(w, ticket_id, hours, days):
    w.update("helpdesk.Ticket", ticket_id, {"cost": rt.div(hours, days)})
    w.update("helpdesk.Ticket", ticket_id, {"due": rt.add(w.now, rt.mul(days, _DAY))})
    return rt.scalar(w.field("helpdesk.Ticket", ticket_id, "cost"))


def merge(w, ticket_ids, into):
    for id in ticket_ids:
        w.delete("helpdesk.Ticket", id)
    return rt.records(w, "helpdesk.Ticket", (into,))


TOOLS = {
    "list_tickets": rt.Tool(
        list_tickets,
        parameters=(
            rt.Parameter("status", {"optional": _STATUS}, required=False, default=None),
            rt.Parameter("max_results", "int", required=False, default=50),
        ),
    ),
    "get_ticket": rt.Tool(
        get_ticket,
        parameters=(rt.Parameter("ticket_id", {"ref": "helpdesk.Ticket"}, required=True, default=None),),
    ),
    "update_ticket": rt.Tool(
        update_ticket,
        parameters=(
            rt.Parameter("ticket_id", {"ref": "helpdesk.Ticket"}, required=True, default=None),
            rt.Parameter("priority", {"optional": _PRIORITY}, required=False, default=None),
            rt.Parameter("tags", {"optional": {"list": "text"}}, required=False, default=None),
            rt.Parameter("assigned_to", {"optional": "email"}, required=False, default=None),
        ),
    ),
    "charge": rt.Tool(
        charge,
        parameters=(
            rt.Parameter("ticket_id", {"ref": "helpdesk.Ticket"}, required=True, default=None),
            rt.Parameter("hours", "decimal", required=True, default=None),
            rt.Parameter("days", "int", required=True, default=None),
        ),
    ),
    "merge": rt.Tool(
        merge,
        parameters=(
            rt.Parameter("ticket_ids", {"list": {"ref": "helpdesk.Ticket"}}, required=True, default=None),
            rt.Parameter("into", {"ref": "helpdesk.Ticket"}, required=True, default=None),
        ),
    ),
}
