"""A running Petri, and its worlds."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union, cast

import httpx

from . import _verbs
from ._caller import CALL_S, Caller, part
from ._intercept import Interception
from ._operations import AddedWebhookEndpoint, Advanced, Operations, Order, ScenarioView, WebhookMessage, WorldView
from ._process import START_S, PetriProcess, given_command, start_command
from ._receiver import LOOPBACK, Handler, Receiver
from ._refusal import PetriProblem, PetriRefusal
from ._signature import machine_now
from ._version import VERSION

#: A failed test shows its own lines, not those of the kit.
__tracebackhide__ = True

Json = Dict[str, Any]

class ClockKit(_verbs.ClockKit):
    def now(self) -> datetime:
        return _instant(self.get()["now"])

    def advance(
        self,
        by: Union[str, timedelta, None] = None,
        *,
        to: Union[str, datetime, None] = None,
        until: Optional[str] = None,
    ) -> Advanced:
        """Moves the clock, for example by "3d", to an instant, or until "idle" or "next". All that is due on the way happens."""
        given = {"by": _duration(by), "to": to.isoformat() if isinstance(to, datetime) else to, "until": until}
        body = {name: value for name, value in given.items() if value is not None}
        return cast(Advanced, self._call("POST", "/_petri/clock/advance", body))


def _duration(by: Union[str, timedelta, None]) -> Optional[str]:
    return f"{by / timedelta(milliseconds=1):.0f}ms" if isinstance(by, timedelta) else by


class OrdersKit(_verbs.OrdersKit):
    def wait(self, order_id: str, status: str, *, timeout: Optional[str] = None, advance: bool = False) -> Order:
        """Waits until the order has a status. In a frozen world it is refused at once unless there is a timeout; with `advance` it does as `reach`."""
        if advance:
            return self.reach(order_id, status)
        body = {"order_id": order_id, "status": status, **({} if timeout is None else {"timeout": timeout})}
        return cast(Order, self._call("POST", "/_petri/wait", body)["order"])


class ScenariosKit(_verbs.ScenariosKit):
    def add(self, name: str, scenario: Union[str, Mapping[str, Any]]) -> ScenarioView:
        """Adds one to this world, as YAML or as an object."""
        body = {"source": scenario} if isinstance(scenario, str) else dict(scenario)
        return cast(ScenarioView, self._call("PUT", f"/_petri/scenarios/{part('name', name)}", body))


class WebhooksKit(_verbs.WebhooksKit):
    def __init__(self, world: "World") -> None:
        super().__init__(world.call)
        self._world = world
        self.endpoints = _verbs.EndpointsKit(world.call)
        self.faults = _verbs.WebhookFaultsKit(world.call)

    def deliver_to(self, target: Union[str, Receiver, Handler], **options: Any) -> AddedWebhookEndpoint:
        """Delivers webhooks to a URL, or to a receiver or function in this process."""
        if isinstance(target, str):
            url = target
        elif isinstance(target, Receiver):
            url = target.url
        elif callable(target):
            url = self._world.receiver(target).url
        else:
            raise PetriProblem(f"deliver_to takes a URL, a receiver or a function, not {target!r}.")
        return cast(AddedWebhookEndpoint, self._call("POST", "/_petri/webhooks/endpoints", {**options, "url": url}))


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


class World(_verbs.WorldVerbs):
    """A sandbox with its own data, clock, key and webhooks. Use it in a `with` block, or close it."""

    def __init__(self, petri: "Petri", view: WorldView) -> None:
        self._petri = petri
        self._receivers: List[Receiver] = []
        self.url = petri.url
        self.api_key, self.webhook_secret, self.team_id = view["api_key"], view["webhook_secret"], view["team_id"]
        self._caller = Caller(petri.http, {"x-service-api-key": self.api_key}, petri.end)
        self._is_closed = False
        #: In whole milliseconds, as in the journal.
        self._began = datetime.fromtimestamp(machine_now() // 0.001 / 1000, timezone.utc)
        #: All operations of the control API, as they are.
        self.operations: Operations = Operations(self._caller)
        super().__init__(self._caller.call)
        self.clock = ClockKit(self._call)
        self.fixtures = Fixtures()
        self.users = _verbs.UsersKit(self._call)
        self.lab_tests = _verbs.LabTestsKit(self._call)
        self.orders = OrdersKit(self._call)
        self.scenarios = ScenariosKit(self._call)
        self.webhooks = WebhooksKit(self)
        self.requests = _verbs.RequestsKit(self._call)
        self.faults = _verbs.FaultsKit(self._call)
        self.snapshots = _verbs.SnapshotsKit(self._call)
        self.state = _verbs.StateKit(self._call)

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
        order = self.call("GET", f"/v3/order/{part('order_id', order_id)}", headers=aside)
        actual: Json = {"status": status, "interpretation": interpretation}
        found = order["last_event"]["status"]
        is_same = status in (found, order["status"]) or found.endswith(f".{status}")
        expected: Json = {"status": status if is_same else found, "interpretation": order["interpretation"]}
        if results:
            known = self.call("GET", f"/v3/order/{part('order_id', order_id)}/result", headers=aside)["results"]
            values = {each["slug"]: each["value"] for each in known}
            actual["results"], expected["results"] = dict(results), {slug: values.get(slug) for slug in results}
        assert actual == expected, f"The program shows {actual}; expected {expected}."

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
        """What was asked, ordered and delivered, a line each, in the order in which it happened."""
        messages = self.webhooks.messages() + self.webhooks.messages(status="no_endpoint")
        entries = [
            *(_placing(order, messages) for order in self._caller.orders),
            *((each["at"], each["sequence"], f"{each['method']} {each['path']}: {each['status']}") for each in self.requests.list()),
            *((each["created_at"], each["sequence"], _line(each)) for each in messages),
        ]
        entries.sort(key=lambda entry: (_instant(entry[0]), entry[1]))
        lines = [f"{at}  {text}" for at, _, text in entries] or ["Nothing was asked or delivered."]
        refused = [each for each in self.operations.requests_refused()["data"] if _instant(each["at"]) >= self._began]
        if refused:
            lines.append("With a key of no world, in this test or one next to it:")
        lines += [f"{each['at']}  {each['method']} {each['path']}: {each['status']} ({each['detail']})" for each in refused]
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


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _placing(order: Any, messages: List[WebhookMessage]) -> Tuple[str, int, str]:
    """Stands before the first webhook of the order."""
    own = [each for each in messages if each.get("order_id") == order["id"]]
    first = min(own, key=lambda each: each["sequence"], default={**order, "sequence": 0})
    return first["created_at"], first["sequence"], f"the test placed order {order['id']}"


def _line(message: WebhookMessage) -> str:
    """A webhook, and why the last attempt failed, with what the receiver answered."""
    line = f"webhook {message['event_type']}: {message['status'].replace('_', ' ')}"
    if not message["last_error"]:
        return line
    attempts = message["attempts"]
    response = attempts[-1].get("response") if attempts else None
    reasons = [message["last_error"], *([response["body"]] if response and response["body"] else [])]
    advice = f"\n  {message['last_advice']}" if message["last_advice"] else ""
    return f"{line} ({': '.join(reasons)}){advice}"


#: What to do if nobody listens at an address, by who has given it.
REMEDIES = {"PETRI_URL": "unset PETRI_URL", "the test": "give the test another address"}


class Petri:
    """A running Petri. Use it in a `with` block, or close it."""

    def __init__(self, url: str, given_by: str, *, process: Optional[PetriProcess] = None, token: Optional[str] = None) -> None:
        if not re.match(r"https?://[^/]", url):
            raise PetriProblem(f'{given_by[0].upper()}{given_by[1:]} should name an address such as http://127.0.0.1:4080; it names "{url}".')
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
            self._control.call("DELETE", f"/_petri/worlds/{team_id}")
        except PetriRefusal as refusal:
            if refusal.status != 404:
                raise

    def end(self) -> str:
        """How a Petri that was started here has ended; empty while it runs."""
        return self._process.end() if self._process else ""

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
            if self._process:
                raise
            remedy = REMEDIES.get(given_by, "remove it")
            raise PetriProblem(
                f"Nobody listens at {self.url}, which {given_by} names ({problem.__cause__}): start Petri there, or {remedy}."
            ) from problem
        if not isinstance(health, dict) or "contract_version" not in health:
            raise PetriProblem(f"{self.url}, which {given_by} names, is not Petri.")
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
    if not (arguments or given_command() or os.environ.get("PETRI_IMAGE")):
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
