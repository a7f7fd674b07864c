"""Service `mail`, written by hand in the form of emitted code."""

from coworkdsl import runtime as rt


def send_message(w, to, subject, body):
    message = w.insert("mail.sent", None, {"to": to, "subject": subject, "body": body, "date": w.now})
    return rt.record(w, "mail.Message", message)


def keep_message(w, message_id, to):
    w.insert("mail.inbox", message_id, {"to": to, "subject": "", "body": "", "date": w.now})
    return rt.done()


def discard_message(w, message_id):
    w.delete("mail.Message", message_id)
    return rt.done()


TOOLS = {
    "send_message": rt.Tool(
        send_message,
        parameters=(
            rt.Parameter("to", "email", required=True, default=None),
            rt.Parameter("subject", "text", required=True, default=None),
            rt.Parameter("body", "text", required=False, default=""),
        ),
    ),
    "keep_message": rt.Tool(
        keep_message,
        parameters=(
            rt.Parameter("message_id", "text", required=True, default=None),
            rt.Parameter("to", "email", required=True, default=None),
        ),
    ),
    "discard_message": rt.Tool(
        discard_message,
        parameters=(rt.Parameter("message_id", {"ref": "mail.Message"}, required=True, default=None),),
    ),
}
