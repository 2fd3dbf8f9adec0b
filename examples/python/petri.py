"""A world of a running Petri; needs nothing but Python."""

import base64
import hashlib
import hmac
import json
import os
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.error import HTTPError

URL = os.environ.get("PETRI_URL", "http://127.0.0.1:4080")
CONTROL_TOKEN = os.environ.get("PETRI_CONTROL_TOKEN")
SHIPPING = {
    "receiver_name": "Ada Example",
    "first_line": "1 Test Street",
    "city": "Phoenix",
    "state": "AZ",
    "zip": "85004",
    "country": "US",
    "phone_number": "+16025550123",
}


PATIENT = {
    "first_name": "Ada",
    "last_name": "Example",
    "dob": "1990-01-01",
    "gender": "female",
    "phone_number": "+16025550123",
    "email": "ada@example.com",
}


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
    except HTTPError as error:
        raise AssertionError(f"{method} {path} answered {error.code}: {error.read().decode()}") from None
    return json.loads(text) if text else None


def control(method, path, body=None):
    token = {"authorization": f"Bearer {CONTROL_TOKEN}"} if CONTROL_TOKEN else {}
    return call(method, path, body, token)


def receiver_host():
    """How Petri reaches this machine: by RECEIVER_HOST, or the address from which it sees this call come."""
    caller = os.environ.get("RECEIVER_HOST") or call("GET", "/_petri/health")["caller"]
    return "127.0.0.1" if caller in (None, "::1") else caller


class World:
    """Data, clock and webhooks of its own: one for each test costs milliseconds."""

    def __init__(self, **birth):
        made = control("POST", "/_petri/worlds", {"frozen": True, **birth})
        self.team_id, self.key, self.webhook_secret = made["team_id"], made["api_key"], made["webhook_secret"]

    def call(self, method, path, body=None, headers=None):
        return call(method, path, body, {"x-vital-api-key": self.key, **(headers or {})})

    def advance(self, by):
        """Runs all that falls due on the way, webhooks included."""
        return self.call("POST", "/_petri/clock/advance", {"by": by})["effects"]

    def order_kit(self, scenario):
        user = self.call("POST", "/v2/user", {"client_user_id": "ada"})["user_id"]
        kit = self.call("GET", "/v3/lab_tests?collection_method=testkit")[0]["id"]
        body = {"user_id": user, "lab_test_id": kit, "shipping_details": SHIPPING}
        return self.call("POST", "/v3/order/testkit", body, {"x-petri-scenario": scenario})["order"]["id"]

    def register(self, order_id):
        """The patient registers the kit that has come."""
        kit = self.call("GET", f"/v3/order/{order_id}")
        body = {
            "user_id": kit["user_id"],
            "sample_id": kit["sample_id"],
            "patient_details": PATIENT,
            "patient_address": SHIPPING,
        }
        self.call("POST", "/v3/order/testkit/register", body)

    def status(self, order_id):
        return self.call("GET", f"/v3/order/{order_id}")["last_event"]["status"]

    def close(self):
        control("DELETE", f"/_petri/worlds/{self.team_id}")


def is_signed(secret, headers, body, tolerance=300):
    """Whether the svix-* headers sign this body with this secret, at most so many seconds ago."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers['svix-id']}.{headers['svix-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    signatures = [part.partition(",")[2] for part in headers["svix-signature"].split()]
    is_recent = abs(time.time() - int(headers["svix-timestamp"])) <= tolerance
    return is_recent and any(hmac.compare_digest(expected, signature) for signature in signatures)


class Receiver:
    """Keeps the events it is sent; answers with the statuses given, then with 204. With a secret it refuses the unsigned."""

    def __init__(self, *statuses, secret=None):
        self.events, self.refused, statuses = [], [], list(statuses)
        events, refused = self.events, self.refused

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status = statuses.pop(0) if statuses else 204
                if secret and not is_signed(secret, self.headers, body):
                    refused.append(self.headers["svix-id"])
                    status = 401
                if status < 300:
                    events.append(json.loads(body)["event_type"])
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        host = receiver_host()
        listens_at = "127.0.0.1" if host == "127.0.0.1" else "0.0.0.0"
        self.server = ThreadingHTTPServer((listens_at, 0), Handler)
        self.url = f"http://{host}:{self.server.server_port}/webhooks"
        Thread(target=self.server.serve_forever, daemon=True).start()
