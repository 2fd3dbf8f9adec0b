"""A running Petri, and its worlds."""

from __future__ import annotations

import json
import os
import re
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union, cast
from urllib.parse import quote

import httpx

from ._caller import CALL_S, Caller, rows
from ._intercept import Interception
from ._operations import (
    Advanced,
    Clock,
    Operations,
    RequestSummary,
    World as WorldView,
)
from ._process import START_S, PetriProcess, start_command
from ._receiver import LOOPBACK, Handler, Receiver
from ._refusal import PetriProblem, PetriRefusal
from ._version import VERSION

#: A failed test shows its own lines, not those of the kit.
__tracebackhide__ = True

Json = Dict[str, Any]

#: Seconds after which a call is in the log of Petri, for the journal of a failed test.
LOG_S = 0.1


def _id(name: str) -> str:
    return quote(name, safe="")


def _given(**values: Any) -> Json:
    return {name: value for name, value in values.items() if value is not None}


class ClockKit:
    def __init__(self, world: "World") -> None:
        self._operations, self._call = world.operations, world.call

    def get(self) -> Clock:
        return self._operations.clock_get()

    def now(self) -> datetime:
        return datetime.fromisoformat(self.get()["now"].replace("Z", "+00:00"))

    def advance(self, by: Optional[str] = None, *, to: Optional[str] = None, until: Optional[str] = None) -> Advanced:
        """Moves the clock, for example by "3d", to an instant, or until "idle" or "next". All that is due on the way happens."""
        return cast(Advanced, self._call("POST", "/_petri/clock/advance", _given(by=by, to=to, until=until)))

    def settle(self) -> Advanced:
        """What is due now happens."""
        return self.advance("0s")

    def freeze(self) -> Clock:
        return self._operations.clock_patch({"frozen": True})

    def run(self) -> Clock:
        return self._operations.clock_patch({"frozen": False})

    def set_pace(self, pace: float) -> Clock:
        return self._operations.clock_patch({"pace": pace})


class UsersKit:
    def __init__(self, world: "World") -> None:
        self._world, self._call = world, world.call
        self._last: Optional[int] = None

    def create(self, client_user_id: Optional[str] = None, *, user_id: Optional[str] = None) -> Json:
        """Creates a user, with an unused client user id if none is given."""
        name = client_user_id or self._next_name()
        if user_id is None:
            return cast(Json, self._call("POST", "/v2/user", {"client_user_id": name}))
        return cast(Json, self._call("POST", "/_petri/users", {"user_id": user_id, "client_user_id": name}))

    def get(self, user_id: str) -> Json:
        return cast(Json, self._call("GET", f"/v2/user/{_id(user_id)}"))

    def set_scenario(self, user_id: str, scenario: Optional[str]) -> None:
        self._call("PUT", f"/_petri/users/{_id(user_id)}/scenario", {"scenario": scenario})

    def set_feed(self, user_id: str, provider: str, scenario: str) -> None:
        path = f"/_petri/users/{_id(user_id)}/connections/{_id(provider)}/feed"
        self._call("PUT", path, {"scenario": scenario})

    def add_data(self, user_id: str, data: Mapping[str, Any]) -> Json:
        return cast(Json, self._call("POST", f"/_petri/users/{_id(user_id)}/data", dict(data)))

    def _next_name(self) -> str:
        if self._last is None:
            self._last = int(self._world.describe()["counts"].get("users", 0))
        self._last += 1
        return f"user-{self._last}"


class LabTestsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def create(self, **lab_test: Any) -> Json:
        return cast(Json, self._call("POST", "/_petri/lab_tests", lab_test))


class OrdersKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def place(
        self,
        *,
        id: Optional[str] = None,
        scenario: Optional[str] = None,
        method: Optional[str] = None,
        registrable: Optional[bool] = None,
        redraw: Optional[bool] = None,
        user_id: Optional[str] = None,
        lab_test_id: Optional[str] = None,
        zip: Optional[str] = None,
        status: Optional[str] = None,
        announce: Optional[bool] = None,
    ) -> Json:
        """Orders the test kit of the team, for a new user unless one is given."""
        body = _given(
            id=id,
            scenario=scenario,
            method=method,
            registrable=registrable,
            redraw=redraw,
            user_id=user_id,
            lab_test_id=lab_test_id,
            zip=zip,
            status=status,
            announce=announce,
        )
        return cast(Json, self._call("POST", "/_petri/orders", body))

    def get(self, order_id: str) -> Json:
        return cast(Json, self._call("GET", f"/v3/order/{_id(order_id)}"))

    def list(self, **filters: Any) -> Json:
        return cast(Json, self._call("GET", "/_petri/orders", query=filters))

    def life(self, order_id: str) -> Json:
        return cast(Json, self._call("GET", f"/_petri/orders/{_id(order_id)}"))

    def move(self, order_id: str, status: str, **step: Any) -> Json:
        return cast(Json, self._call("POST", f"/_petri/orders/{_id(order_id)}/move", {"status": status, **step}))

    def set_results(self, order_id: str, **results: Any) -> Json:
        return cast(Json, self._call("PUT", f"/_petri/orders/{_id(order_id)}/results", results))

    def scenario(self, order_id: str) -> Json:
        return cast(Json, self._call("GET", f"/_petri/orders/{_id(order_id)}/scenario"))

    def set_scenario(self, order_id: str, scenario: str, **options: Any) -> Json:
        body = {"scenario": scenario, **options}
        return cast(Json, self._call("PUT", f"/_petri/orders/{_id(order_id)}/scenario", body))

    def reach(self, order_id: str, status: str) -> Json:
        """Advances the clock until the order has reached a status; refused if nothing that is pending reaches it."""
        self._call("POST", "/_petri/clock/advance", {"order_id": order_id, "status": status})
        return self.get(order_id)

    def wait(self, order_id: str, status: str, *, timeout: Optional[str] = None, advance: bool = False) -> Json:
        """Waits until the order has a status. In a frozen world it is refused at once unless there is a timeout; with `advance` it does as `reach`."""
        if advance:
            return self.reach(order_id, status)
        body: Json = {"order_id": order_id, "status": status, **_given(timeout=timeout)}
        return cast(Json, self._call("POST", "/_petri/wait", body)["order"])


class EndpointsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def list(self) -> List[Json]:
        return cast(List[Json], self._call("GET", "/_petri/webhooks/endpoints")["data"])

    def change(self, endpoint_id: str, **change: Any) -> Json:
        return cast(Json, self._call("PATCH", f"/_petri/webhooks/endpoints/{_id(endpoint_id)}", change))

    def remove(self, endpoint_id: str) -> None:
        self._call("DELETE", f"/_petri/webhooks/endpoints/{_id(endpoint_id)}")

    def rotate_secret(self, endpoint_id: str, secret: Optional[str] = None) -> Json:
        body = {} if secret is None else {"secret": secret}
        return cast(Json, self._call("POST", f"/_petri/webhooks/endpoints/{_id(endpoint_id)}/rotate-secret", body))


class WebhookFaultsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def get(self) -> Json:
        return cast(Json, self._call("GET", "/_petri/webhooks/faults"))

    def set(self, **rules: Any) -> Json:
        return cast(Json, self._call("PUT", "/_petri/webhooks/faults", rules))

    def clear(self) -> None:
        self._call("DELETE", "/_petri/webhooks/faults")


class WebhooksKit:
    def __init__(self, world: "World") -> None:
        self._world, self._call = world, world.call
        self.endpoints = EndpointsKit(world)
        self.faults = WebhookFaultsKit(world)

    def deliver_to(self, target: Union[str, Receiver, Handler], **options: Any) -> Json:
        """Delivers webhooks to a URL, or to a receiver or function in this process."""
        if isinstance(target, str):
            url = target
        elif isinstance(target, Receiver):
            url = target.url
        else:
            url = self._world.receiver(target).url
        return cast(Json, self._call("POST", "/_petri/webhooks/endpoints", {**options, "url": url}))

    def messages(self, **filters: Any) -> List[Json]:
        return rows(self._call, "/_petri/webhooks/messages", filters)

    def message(self, message_id: str) -> Json:
        return cast(Json, self._call("GET", f"/_petri/webhooks/messages/{_id(message_id)}"))

    def wait(self, *, timeout: Optional[str] = None, times: Optional[int] = None, **filters: Any) -> List[Json]:
        body: Json = {"message": filters, **_given(timeout=timeout, times=times)}
        return cast(List[Json], self._call("POST", "/_petri/wait", body)["messages"])

    def resend(self, **which: Any) -> int:
        """Sends again now what was given up or waits for its next attempt, or one message. Returns how many."""
        return cast(int, self._call("POST", "/_petri/webhooks/resend", which)["resent"])


class RequestsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def list(self, **filters: Any) -> List[RequestSummary]:
        return rows(self._call, "/_petri/requests", filters)

    def get(self, request_id: str) -> Json:
        return cast(Json, self._call("GET", f"/_petri/requests/{_id(request_id)}"))

    def wait(self, *, timeout: Optional[str] = None, times: Optional[int] = None, **filters: Any) -> List[Json]:
        body: Json = {"request": filters, **_given(timeout=timeout, times=times)}
        return cast(List[Json], self._call("POST", "/_petri/wait", body)["requests"])

    def clear(self) -> None:
        self._call("DELETE", "/_petri/requests")


class FaultsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def list(self) -> List[Json]:
        return cast(List[Json], self._call("GET", "/_petri/faults")["faults"])

    def set(self, *faults: Mapping[str, Any]) -> List[Json]:
        return cast(List[Json], self._call("PUT", "/_petri/faults", {"faults": list(faults)})["faults"])

    def clear(self) -> None:
        self._call("DELETE", "/_petri/faults")


class ScenariosKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def list(self, kind: Optional[str] = None) -> List[Json]:
        query = f"?kind={kind}" if kind else ""
        return cast(List[Json], self._call("GET", f"/_petri/scenarios{query}")["data"])

    def get(self, name: str) -> Json:
        return cast(Json, self._call("GET", f"/_petri/scenarios/{_id(name)}"))

    def add(self, name: str, scenario: Union[str, Mapping[str, Any]]) -> Json:
        body = {"source": scenario} if isinstance(scenario, str) else dict(scenario)
        return cast(Json, self._call("PUT", f"/_petri/scenarios/{_id(name)}", body))

    def remove(self, name: str) -> None:
        self._call("DELETE", f"/_petri/scenarios/{_id(name)}")


class SnapshotsKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def list(self) -> List[Json]:
        return cast(List[Json], self._call("GET", "/_petri/snapshots")["data"])

    def save(self, name: str) -> None:
        self._call("PUT", f"/_petri/snapshots/{_id(name)}")

    def restore(self, name: str) -> None:
        self._call("POST", f"/_petri/snapshots/{_id(name)}/restore")

    def remove(self, name: str) -> None:
        self._call("DELETE", f"/_petri/snapshots/{_id(name)}")


class StateKit:
    def __init__(self, world: "World") -> None:
        self._call = world.call

    def export(self) -> Json:
        return cast(Json, self._call("GET", "/_petri/state"))

    def import_(self, state: Mapping[str, Any]) -> None:
        self._call("PUT", "/_petri/state", dict(state))


class Fixtures:
    """A patient and an address that the service accepts; each takes the fields that should differ."""

    def patient(self, **fields: Any) -> Json:
        return {
            "first_name": "Ada",
            "last_name": "Example",
            "dob": "1990-01-01",
            "gender": "female",
            "phone_number": "+16025550123",
            "email": "ada@example.com",
            **fields,
        }

    def address(self, **fields: Any) -> Json:
        return {
            "receiver_name": "Ada Example",
            "first_line": "1 N Central Ave",
            "city": "Phoenix",
            "state": "AZ",
            "zip": "85004",
            "country": "US",
            "phone_number": "+16025550123",
            **fields,
        }


class World:
    """A sandbox with its own data, clock, key and webhooks. Use it in a `with` block, or close it."""

    def __init__(self, petri: "Petri", view: WorldView) -> None:
        self._petri = petri
        self._receivers: List[Receiver] = []
        self.url = petri.url
        self.api_key, self.webhook_secret, self.team_id = view["api_key"], view["webhook_secret"], view["team_id"]
        self._caller = Caller(petri.http, {"x-service-api-key": self.api_key}, petri.end)
        self._is_closed = False
        self._strangers_before = len(petri.strangers())
        #: All operations of the control API, as they are.
        self.operations: Operations = Operations(self._caller)
        self.clock = ClockKit(self)
        self.fixtures = Fixtures()
        self.users = UsersKit(self)
        self.lab_tests = LabTestsKit(self)
        self.orders = OrdersKit(self)
        self.scenarios = ScenariosKit(self)
        self.webhooks = WebhooksKit(self)
        self.requests = RequestsKit(self)
        self.faults = FaultsKit(self)
        self.snapshots = SnapshotsKit(self)
        self.state = StateKit(self)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Calls the service or the control API, and returns the JSON."""
        return self._caller.call(method, path, body, query, headers)

    def assert_agrees(
        self, order_id: str, *, status: str, interpretation: Optional[str], results: Optional[Mapping[str, Any]] = None
    ) -> None:
        """Asserts that what the program shows of an order is what the world has."""
        aside = {"x-petri-aside": "1"}  # Not recorded as a call of the program.
        order = self.call("GET", f"/v3/order/{_id(order_id)}", headers=aside)
        actual: Json = {"status": status, "interpretation": interpretation}
        found = order["last_event"]["status"]
        is_same = status in (found, order["status"]) or found.endswith(f".{status}")
        expected: Json = {"status": status if is_same else found, "interpretation": order["interpretation"]}
        if results:
            known = self.call("GET", f"/v3/order/{_id(order_id)}/result", headers=aside)["results"]
            values = {each["slug"]: each["value"] for each in known}
            actual["results"], expected["results"] = dict(results), {slug: values.get(slug) for slug in results}
        assert actual == expected, f"The program shows {actual}; expected {expected}."

    def trigger(self, event_type: str, **about: Any) -> Json:
        """Sends an event of the catalogue about an object of the world."""
        return cast(Json, self.call("POST", "/_petri/trigger", {"event_type": event_type, **about}))

    def coverage(self) -> Json:
        return cast(Json, self.call("GET", "/_petri/coverage"))

    def describe(self) -> WorldView:
        return self.operations.world_get()

    def set(self, **settings: Any) -> WorldView:
        return cast(WorldView, self.call("PATCH", "/_petri/world", settings))

    def reset(self, seed: Optional[str] = None) -> None:
        self.call("POST", "/_petri/reset", {} if seed is None else {"seed": seed})
        self.users._last = None

    def receiver(self, handler: Optional[Handler] = None) -> Receiver:
        """A receiver of webhooks in this process, which is closed with the world."""
        receiver = Receiver(self.webhook_secret, handler, self._petri.receiver_host)
        self._receivers.append(receiver)
        return receiver

    def intercept(self) -> Interception:
        """Leads the calls of httpx and requests to the hosts of the live service to this world."""
        return Interception(self.url, self.api_key)

    def fetch(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Calls the service and returns the response, whatever its status."""
        return self._caller.fetch(method, path, **options)

    def journal(self) -> str:
        """What was asked, ordered and delivered, a line each."""
        time.sleep(LOG_S)
        asked = [f"{each['at']}  {each['method']} {each['path']}: {each['status']}" for each in self.requests.list()]
        ordered = [f"{each['created_at']}  the test placed order {each['id']}" for each in self._caller.orders]
        sent = [
            f"{each['created_at']}  webhook {each['event_type']}: {each['status']}{_reason(each)}"
            for each in self.webhooks.messages()
        ]
        lines = sorted(asked + ordered + sent) or ["Nothing was asked or delivered."]
        strangers = self._petri.strangers()[self._strangers_before :]
        if strangers:
            lines += ["With a key of no world, in this test or one beside it:", *strangers]
        return "\n".join(lines)

    def close(self) -> None:
        """Deletes the world. Raises what went wrong in the handlers of its receivers."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.close_receivers()
        finally:
            self._petri.drop(self.team_id)
            self._caller.close()

    def close_receivers(self) -> None:
        receivers, self._receivers = self._receivers, []
        problems = [problem for receiver in receivers for problem in receiver.close()]
        if problems:
            raise problems[0]

    def __enter__(self) -> "World":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            self.close()
        except BaseException:
            # What ended the block matters more.
            if kind is None:
                raise


def _reason(message: Mapping[str, Any]) -> str:
    """Why the last attempt failed, with what the receiver answered."""
    if not message["last_error"]:
        return ""
    answer = message["attempts"][-1].get("response", {}).get("body")
    return f" ({message['last_error']}: {answer})" if answer else f" ({message['last_error']})"


class Petri:
    """A running Petri. Use it in a `with` block, or close it."""

    def __init__(self, url: str, given_by: str, *, process: Optional[PetriProcess] = None, token: Optional[str] = None) -> None:
        self.url = url.rstrip("/")
        self._process = process
        # A proxy of the environment would not reach this machine.
        self.http = httpx.Client(base_url=self.url, timeout=CALL_S, trust_env=False)
        token = token or os.environ.get("PETRI_CONTROL_TOKEN")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._control = Caller(self.http, headers, self.end)
        self._assert_petri(given_by)

    def world(self, *, frozen: bool = True, **options: Any) -> World:
        """Creates a world: `seed`, `now`, `pace`, `scenario`, `like`, `name`, `webhook_url`."""
        return World(self, cast(WorldView, self._control.call("POST", "/_petri/worlds", {"frozen": frozen, **options})))

    def drop(self, team_id: str) -> None:
        try:
            self._control.call("DELETE", f"/_petri/worlds/{_id(team_id)}")
        except PetriRefusal as refusal:
            if refusal.status != 404:
                raise

    def end(self) -> str:
        """How a Petri that was started here has ended; empty while it runs."""
        return self._process.end() if self._process else ""

    def strangers(self) -> List[str]:
        """Calls with a key of no world, which the log of a Petri that was started here has."""
        return self._process.strangers if self._process else []

    def close(self) -> None:
        self.http.close()
        if self._process:
            self._process.close()

    def __enter__(self) -> "Petri":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _assert_petri(self, given_by: str) -> None:
        try:
            health = self._control.call("GET", "/_petri/health")
        except PetriRefusal:
            health = None
        except PetriProblem as problem:
            raise PetriProblem(f"Nobody listens at {self.url}, which {given_by} names. ({problem})") from problem
        if not isinstance(health, dict) or "contract_version" not in health:
            raise PetriProblem(f"{self.url} is not Petri.")
        self.receiver_host = os.environ.get("RECEIVER_HOST") or _receiver_host(health.get("caller"))
        version = health["version"]
        if _numbers(version) < _numbers(VERSION):
            raise PetriProblem(
                f"Petri {version} at {self.url} is older than this client, {VERSION}: update Petri, "
                f"or use version {version} of the client."
            )


def _receiver_host(caller: Optional[str]) -> str:
    """The host of receivers for a Petri that sees calls come from an address: that address, unless both are on this machine."""
    if caller is None or caller == "::1" or caller.startswith("127."):
        return LOOPBACK
    return f"[{caller}]" if ":" in caller else caller


def _numbers(version: str) -> List[int]:
    """The parts of a version such as 0.10.2, which are compared by number."""
    return [int(part) for part in re.split("[-+]", version)[0].split(".")]


def connect(url: str, control_token: Optional[str] = None) -> Petri:
    """Connects to a running Petri; to one on another machine or in a container with its control token."""
    return Petri(url, "the test", token=control_token)


def start(*arguments: str) -> Petri:
    """
    Connects to the Petri of `PETRI_URL`, or to one that runs in the folder `.petri` here or above. Otherwise starts one on a free
    port, which keeps nothing and ends with this process: with `PETRI_COMMAND`, with the image `PETRI_IMAGE`, or with
    `petri-sandbox` of the PATH. Arguments are those of `petri start`.
    """
    url = os.environ.get("PETRI_URL")
    if url:
        return Petri(url, "PETRI_URL")
    if not (arguments or os.environ.get("PETRI_COMMAND") or os.environ.get("PETRI_IMAGE")):
        running = _running_above(Path.cwd())
        if running:
            return running
    process = PetriProcess(start_command(), list(arguments))
    return Petri(process.url, "its log", process=process)


def _running_above(start: Path) -> Optional[Petri]:
    """The Petri whose data folder is `.petri` in this folder or one above."""
    for folder in [start, *start.parents]:
        file = folder / ".petri" / "running.json"
        try:
            url = json.loads(file.read_text())["url"]
            httpx.get(f"{url}/_petri/health", timeout=START_S, trust_env=False)
        except (OSError, ValueError, KeyError, TypeError, httpx.HTTPError, httpx.InvalidURL):
            continue  # None, or a file of a Petri that was killed.
        return Petri(url, str(file))
    return None
