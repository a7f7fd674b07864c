"""A server on this machine that speaks both protocols and answers as it was told to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

BATCHES = "/v1/messages/batches"
CUT = "the connection is cut"
BUSY = "come back in a millisecond"


class Failure(NamedTuple):
    """A status of HTTP that is none of success, with its body."""

    status: int
    body: bytes


Answer = str | bytes | Failure
Scripted = Answer | Callable[[dict[str, Any]], Answer]


class Server(ThreadingHTTPServer):
    """`answers`: what is said to each request in turn, the last one for good: a text of the model's, a whole body in
    bytes, a failure, `CUT` or `BUSY`; or what gives one of these for the document of a request. `asked`: the path and
    the document of each request, and of each in a batch. `batches`: by id, the lines of the results; the first time
    that somebody asks for one, it is under way."""

    daemon_threads = True

    def __init__(self, *answers: Scripted) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.seen: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def next_answer(self, document: dict[str, Any]) -> Answer:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(document) if callable(answer) else answer


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == BATCHES:
            self._send(200, json.dumps(self._batch(document["requests"])).encode())
            return
        self.server.asked.append((self.path, document))
        answer = self.server.next_answer(document)
        if answer == CUT:
            self.close_connection = True
        elif answer == BUSY:
            self._send(429, b'{"error": {"type": "rate_limit_error", "message": "busy"}}')
        elif isinstance(answer, Failure):
            self._send(*answer)
        else:
            self._send(200, answer if isinstance(answer, bytes) else self._said(answer))

    def do_GET(self) -> None:
        id, _, rest = self.path.removeprefix(f"{BATCHES}/").partition("/")
        if id not in self.server.batches:
            self._send(404, b'{"type": "error", "error": {"type": "not_found_error", "message": "no such batch"}}')
        elif rest == "results":
            self._send(200, "".join(json.dumps(line) + "\n" for line in self.server.batches[id]).encode())
        else:
            self._send(200, json.dumps(self._status(id, "ended" if id in self.server.seen else "in_progress")).encode())
            self.server.seen.add(id)

    def _batch(self, requests: list[dict[str, Any]]) -> dict[str, Any]:
        id = f"batch_{len(self.server.batches) + 1}"
        self.server.batches[id] = [
            {"custom_id": each["custom_id"], "result": self._result(each["params"])} for each in requests
        ]
        return self._status(id, "in_progress")

    def _result(self, document: dict[str, Any]) -> dict[str, Any]:
        self.server.asked.append((self.path, document))
        answer = self.server.next_answer(document)
        if answer == CUT:
            return {"type": "expired"}
        if isinstance(answer, Failure) or answer == BUSY:
            error = {"type": "api_error", "message": "overloaded"}
            return {"type": "errored", "error": {"type": "error", "error": error}}
        body = answer if isinstance(answer, bytes) else self._said(answer)
        return {"type": "succeeded", "message": json.loads(body)}

    def _status(self, id: str, status: str) -> dict[str, Any]:
        url = f"{self.server.url}{BATCHES}/{id}/results" if status == "ended" else None
        return {"id": id, "type": "message_batch", "processing_status": status, "results_url": url}

    def _said(self, text: str) -> bytes:
        if self.path.startswith("/v1/messages"):
            thought = {"type": "thinking", "thinking": "{", "signature": ""}
            said: dict[str, Any] = {"content": [thought, {"type": "text", "text": text}], "stop_reason": "end_turn"}
        else:
            said = {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
        return json.dumps(said).encode()

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are silent."""


@contextmanager
def serving(*answers: Scripted) -> Iterator[Server]:
    with Server(*answers) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
