"""A receiver of webhooks in the test process."""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._refusal import PetriProblem
from ._signature import machine_now, verify


LOOPBACK = "127.0.0.1"

#: Seconds after which a webhook that a handler has not answered is named, and after which Petri hangs up.
SLOW_S, GIVEN_UP_S = 3, 15


@dataclass(frozen=True)
class Received:
    """A webhook whose signature is right."""

    id: str
    event_type: str
    data: Any
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


#: What a test does with a webhook; it may return a status other than 204.
Handler = Callable[[Received], Optional[int]]


class Receiver:
    """An HTTP receiver on a free port of this machine; it verifies each webhook and keeps it. Petri reaches it at `host`."""

    def __init__(self, secret: str, handler: Optional[Handler] = None, host: str = LOOPBACK) -> None:
        self.secret = secret
        self._host = host
        #: Called with each webhook; tests may set another.
        self.handler = handler
        #: The webhooks with a right signature, in the order of their arrival, duplicates included.
        self.received: List[Received] = []
        #: Why others were refused.
        self.refused: List[str] = []
        self._raised: List[BaseException] = []
        #: Event types that the handler is at, by the second when it began.
        self._unanswered: Dict[float, str] = {}
        # From a container, Petri does not reach loopback.
        self._server = ThreadingHTTPServer((LOOPBACK if host == LOOPBACK else "", 0), self._handler_class())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{self._host}:{self._server.server_address[1]}/webhooks"

    def events(self, event_type: Optional[str] = None) -> List[Any]:
        """The data of the webhooks, of one type if given; each webhook once, however often it was delivered."""
        once: Dict[str, Received] = {each.id: each for each in self.received}
        return [each.data for each in once.values() if event_type in (None, each.event_type)]

    def close(self) -> List[BaseException]:
        """Stops without waiting for the handler. Returns what it has raised, and a problem for each webhook that it has not answered."""
        self._server.shutdown()
        self._server.server_close()
        unanswered = [PetriProblem(f"The handler of a receiver has not answered {each}.") for each in self._unanswered.values()]
        return [*self._raised, *unanswered]

    def _receive(self, headers: Mapping[str, str], body: bytes) -> Tuple[int, str]:
        try:
            verify(self.secret, headers, body)
            event = json.loads(body)
        except ValueError as problem:
            return 401, self._refuse(str(problem))
        received = Received(headers["svix-id"], event.get("event_type", ""), event.get("data"), headers, body)
        self.received.append(received)
        if self.handler is None:
            return 204, ""
        begun = machine_now()
        if any(begun - earlier > GIVEN_UP_S for earlier in list(self._unanswered)):
            return 500, "The handler has not answered before."
        self._unanswered[begun] = received.event_type
        slow = threading.Timer(SLOW_S, self._name_slow, [received.event_type])
        slow.daemon = True
        slow.start()
        try:
            status = self.handler(received)
        except BaseException as problem:  # Also pytest.fail. The end of the test raises it again.
            self._raised.append(problem)
            return 500, self._refuse(repr(problem))
        finally:
            slow.cancel()
            self._unanswered.pop(begun, None)
        return 204 if status is None else status, ""

    def _name_slow(self, event_type: str) -> None:
        print(f"Petri: the handler of a receiver has not answered {event_type} for {SLOW_S} s.", file=sys.stderr)

    def _refuse(self, reason: str) -> str:
        """The journal has the reason, because Petri keeps what a receiver answers."""
        self.refused.append(reason)
        return reason

    def _handler_class(receiver: "Receiver") -> type:  # noqa: N805
        class RequestHandler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, reason = receiver._receive(headers, body)
                answer = reason.encode()
                self.send_response(status)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: Any) -> None:
                pass

        return RequestHandler
