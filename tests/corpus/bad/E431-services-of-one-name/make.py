"""Makes the file in the current folder."""

from pathlib import Path

MODULE = """cwk 1

service desk "Requests" {
  record Request { title: text done: bool = false }
  store requests: Request key request_id ids "REQ-"
  tool finish "Mark a request as done." (request_id: Request) -> Request {
    set request_id { done: true }
    return request_id
  }
}

task NAME "Finish the request" {
  now: 2026-03-14T09:00:00Z
  request "Finish the request REQ-1."
  tools desk
  data desk.requests { @REQ-1 { title: "New keys" } }
  check 1 "finishes it" @REQ-1.done
}
"""

Path("input.cwk").write_text(MODULE.replace("NAME", "one"))
Path("other.cwk").write_text(MODULE.replace("NAME", "two"))
