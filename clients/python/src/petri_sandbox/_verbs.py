"""The methods of the kit. Written by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, cast

from ._caller import part, rows
from ._operations import (
    Advanced,
    Agenda,
    Board,
    Clock,
    ConnectionFeedView,
    Coverage,
    Fault,
    FaultInput,
    FeaturePatch,
    LabTest,
    Lifecycle,
    MovePatient,
    MoveResults,
    MoveShipment,
    Order,
    OrderLife,
    OrderScenario,
    PlacedOrder,
    Request,
    RequestSummary,
    ResultsPut,
    RotatedWebhookEndpoint,
    ScenarioSummary,
    ScenarioView,
    Snapshot,
    Triggered,
    User,
    UserDataKept,
    UserScenario,
    WebhookEndpoint,
    WebhookFaults,
    WebhookMessage,
    WorldView,
)

#: Stands for an argument that is not sent. So does None, but for a field that can be null.
UNSET: Any = object()

Call = Callable[..., Any]


def given(fields: Mapping[str, Any], *nullable: str) -> Dict[str, Any]:
    sent = {name: value for name, value in fields.items() if value is not UNSET}
    return {name: value for name, value in sent.items() if value is not None or name in nullable}


class ClockKit:
    """The time of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> Clock:
        """Returns where the clock stands, and what is due."""
        return cast("Clock", self._call("GET", "/_petri/clock"))

    def settle(self) -> Advanced:
        """Lets happen what is due now."""
        return cast("Advanced", self._call("POST", "/_petri/clock/advance", {"by": "0s"}))

    def freeze(self) -> Clock:
        """Stops the clock."""
        return cast("Clock", self._call("PATCH", "/_petri/clock", {"frozen": True}))

    def run(self) -> Clock:
        """Lets the clock run."""
        return cast("Clock", self._call("PATCH", "/_petri/clock", {"frozen": False}))

    def set_pace(self, pace: float) -> Clock:
        """Sets how fast scenarios run in a live world."""
        return cast("Clock", self._call("PATCH", "/_petri/clock", given({"pace": pace})))


class UsersKit:
    """The users of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, client_user_id: Optional[str] = UNSET, *, fallback_time_zone: Optional[str] = UNSET, fallback_birth_date: Optional[str] = UNSET, ingestion_start: Optional[str] = UNSET, ingestion_end: Optional[str] = UNSET, user_id: Optional[str] = UNSET, persona: Optional[str] = UNSET) -> User:
        """Creates a user; fields that are left out are generated."""
        return cast("User", self._call("POST", "/_petri/users", given({"client_user_id": client_user_id, "fallback_time_zone": fallback_time_zone, "fallback_birth_date": fallback_birth_date, "ingestion_start": ingestion_start, "ingestion_end": ingestion_end, "user_id": user_id, "persona": persona}, "fallback_time_zone", "fallback_birth_date", "ingestion_start", "ingestion_end")))

    def get(self, user_id: str) -> User:
        """Returns a user, as the service does."""
        return cast("User", self._call("GET", f'/v2/user/{part("user_id", user_id)}'))

    def set_scenario(self, user_id: str, scenario: Optional[str]) -> UserScenario:
        """Sets the scenario of the user's orders."""
        return cast("UserScenario", self._call("PUT", f'/_petri/users/{part("user_id", user_id)}/scenario', {"scenario": scenario}))

    def set_feed(self, user_id: str, provider: str, scenario: str) -> ConnectionFeedView:
        """Assigns a feed scenario to the connection of a user to a provider."""
        return cast("ConnectionFeedView", self._call("PUT", f'/_petri/users/{part("user_id", user_id)}/connections/{part("provider", provider)}/feed', {"scenario": scenario}))

    def add_data(self, user_id: str, resource: str, provider: str, *, source_type: Optional[str] = UNSET, samples: Optional[List[Dict[str, Any]]] = UNSET, summary: Optional[Dict[str, Any]] = UNSET) -> UserDataKept:
        """Adds samples or a summary of a wearable, with their events."""
        return cast("UserDataKept", self._call("POST", f'/_petri/users/{part("user_id", user_id)}/data', given({"resource": resource, "provider": provider, "source_type": source_type, "samples": samples, "summary": summary})))


class LabTestsKit:
    """The lab tests of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, name: str, method: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"], description: str, *, marker_ids: Optional[List[int]] = UNSET, provider_ids: Optional[List[str]] = UNSET, fasting: Optional[bool] = UNSET, lab_account_id: Optional[str] = UNSET, lab_slug: Optional[str] = UNSET, source_sandbox_lab_test_id: Optional[str] = UNSET, id: Optional[str] = UNSET) -> LabTest:
        """Creates a lab test from markers."""
        return cast("LabTest", self._call("POST", "/_petri/lab_tests", given({"marker_ids": marker_ids, "provider_ids": provider_ids, "name": name, "method": method, "description": description, "fasting": fasting, "lab_account_id": lab_account_id, "lab_slug": lab_slug, "source_sandbox_lab_test_id": source_sandbox_lab_test_id, "id": id}, "marker_ids", "provider_ids", "fasting", "lab_account_id", "lab_slug", "source_sandbox_lab_test_id")))


class OrdersKit:
    """The orders of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def place(self, *, id: Optional[str] = UNSET, scenario: Optional[str] = UNSET, method: Optional[Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]] = UNSET, registrable: Optional[bool] = UNSET, redraw: Optional[bool] = UNSET, user_id: Optional[str] = UNSET, lab_test_id: Optional[str] = UNSET, zip: Optional[str] = UNSET, status: Optional[str] = UNSET, announce: Optional[bool] = UNSET) -> PlacedOrder:
        """Places an order; what is left out is generated."""
        return cast("PlacedOrder", self._call("POST", "/_petri/orders", given({"id": id, "scenario": scenario, "method": method, "registrable": registrable, "redraw": redraw, "user_id": user_id, "lab_test_id": lab_test_id, "zip": zip, "status": status, "announce": announce})))

    def get(self, order_id: str) -> Order:
        """Returns an order, as the service does."""
        return cast("Order", self._call("GET", f'/v3/order/{part("order_id", order_id)}'))

    def list(self, *, status: Optional[str] = UNSET, method: Optional[Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]] = UNSET, interpretation: Optional[str] = UNSET, search: Optional[str] = UNSET, limit: Optional[int] = UNSET) -> Board:
        """Returns orders by status, method or text."""
        return cast("Board", self._call("GET", "/_petri/orders", query=given({"status": status, "method": method, "interpretation": interpretation, "search": search, "limit": limit}, "status", "method", "interpretation", "search")))

    def life(self, order_id: str) -> OrderLife:
        """Returns all that is known of an order, and how it continues."""
        return cast("OrderLife", self._call("GET", f'/_petri/orders/{part("order_id", order_id)}'))

    def move(self, order_id: str, status: str, *, status_detail: Optional[str] = UNSET, patient: Optional[MovePatient] = UNSET, shipment: Optional[MoveShipment] = UNSET, results: Optional[MoveResults] = UNSET, force: Optional[bool] = UNSET) -> Order:
        """Moves an order to a status, such as "lost"."""
        return cast("Order", self._call("POST", f'/_petri/orders/{part("order_id", order_id)}/move', given({"status": status, "status_detail": status_detail, "patient": patient, "shipment": shipment, "results": results, "force": force})))

    def set_results(self, order_id: str, *, values: Optional[Dict[str, Any]] = UNSET, comment: Optional[str] = UNSET, pdf: Optional[str] = UNSET) -> ResultsPut:
        """Sets exact results."""
        return cast("ResultsPut", self._call("PUT", f'/_petri/orders/{part("order_id", order_id)}/results', given({"values": values, "comment": comment, "pdf": pdf})))

    def scenario(self, order_id: str) -> OrderScenario:
        """Returns the scenario of an order, and what is left of it."""
        return cast("OrderScenario", self._call("GET", f'/_petri/orders/{part("order_id", order_id)}/scenario'))

    def set_scenario(self, order_id: str, scenario: str, *, from_: Optional[str] = UNSET) -> OrderScenario:
        """Puts an order into a scenario."""
        return cast("OrderScenario", self._call("PUT", f'/_petri/orders/{part("order_id", order_id)}/scenario', given({"scenario": scenario, "from": from_})))

    def reach(self, order_id: str, status: str) -> Order:
        """Advances the clock until an order has reached a status; refused if nothing that is pending reaches it."""
        self._call("POST", "/_petri/clock/advance", given({"order_id": order_id, "status": status}))
        return self.get(order_id)


class ScenariosKit:
    """Scenarios of orders and of feeds, and personas."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, kind: Optional[Literal["order", "feed", "persona"]] = UNSET) -> List[ScenarioSummary]:
        """Returns those of a kind, or all."""
        return cast("List[ScenarioSummary]", self._call("GET", "/_petri/scenarios", query=given({"kind": kind}))["data"])

    def get(self, name: str) -> ScenarioView:
        """Returns one with its source."""
        return cast("ScenarioView", self._call("GET", f'/_petri/scenarios/{part("name", name)}'))

    def remove(self, name: str) -> None:
        """Removes one of this world."""
        self._call("DELETE", f'/_petri/scenarios/{part("name", name)}')


class WebhooksKit:
    """The webhooks of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def messages(self, *, event_type: Optional[str] = UNSET, order_id: Optional[str] = UNSET, user_id: Optional[str] = UNSET, endpoint_id: Optional[str] = UNSET, status: Optional[Literal["pending", "delivered", "failed", "failing", "no_endpoint"]] = UNSET, q: Optional[str] = UNSET, fields: Optional[Literal["summary"]] = UNSET, order: Optional[Literal["asc", "desc"]] = UNSET, limit: Optional[int] = UNSET) -> List[WebhookMessage]:
        """Returns all messages with their attempts."""
        return rows(self._call, "/_petri/webhooks/messages", given({"event_type": event_type, "order_id": order_id, "user_id": user_id, "endpoint_id": endpoint_id, "status": status, "q": q, "fields": fields, "order": order, "limit": limit}, "event_type", "order_id", "user_id", "endpoint_id", "status", "q", "fields"))

    def message(self, message_id: str) -> WebhookMessage:
        """Returns a message with its attempts."""
        return cast("WebhookMessage", self._call("GET", f'/_petri/webhooks/messages/{part("message_id", message_id)}'))

    def wait(self, *, event_type: Optional[str] = UNSET, order_id: Optional[str] = UNSET, user_id: Optional[str] = UNSET, status: Optional[Literal["pending", "delivered", "failed"]] = UNSET, times: Optional[int] = UNSET, timeout: Optional[str] = UNSET) -> List[WebhookMessage]:
        """Waits until messages were delivered."""
        return cast("List[WebhookMessage]", self._call("POST", "/_petri/wait", given({"message": given({"event_type": event_type, "order_id": order_id, "user_id": user_id, "status": status}), "times": times, "timeout": timeout}))["messages"])

    def resend(self, *, message_id: Optional[str] = UNSET, endpoint_id: Optional[str] = UNSET, order_id: Optional[str] = UNSET, since: Optional[str] = UNSET) -> int:
        """Sends again now what was given up or waits for its next attempt, or one message. Returns how many."""
        return cast("int", self._call("POST", "/_petri/webhooks/resend", given({"message_id": message_id, "endpoint_id": endpoint_id, "order_id": order_id, "since": since}, "message_id", "endpoint_id", "order_id", "since"))["resent"])


class EndpointsKit:
    """The endpoints that webhooks are delivered to."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> List[WebhookEndpoint]:
        """Returns all."""
        return cast("List[WebhookEndpoint]", self._call("GET", "/_petri/webhooks/endpoints")["data"])

    def change(self, endpoint_id: str, *, url: Optional[str] = UNSET, secret: Optional[str] = UNSET, description: Optional[str] = UNSET, event_types: Optional[List[str]] = UNSET, headers: Optional[Dict[str, str]] = UNSET, disabled: Optional[bool] = UNSET) -> WebhookEndpoint:
        """Changes one."""
        return cast("WebhookEndpoint", self._call("PATCH", f'/_petri/webhooks/endpoints/{part("endpoint_id", endpoint_id)}', given({"url": url, "secret": secret, "description": description, "event_types": event_types, "headers": headers, "disabled": disabled}, "url", "secret", "description", "event_types", "headers", "disabled")))

    def remove(self, endpoint_id: str) -> None:
        """Removes one."""
        self._call("DELETE", f'/_petri/webhooks/endpoints/{part("endpoint_id", endpoint_id)}')

    def rotate_secret(self, endpoint_id: str, *, secret: Optional[str] = UNSET) -> RotatedWebhookEndpoint:
        """Gives one a new secret; the old one also signs for a day."""
        return cast("RotatedWebhookEndpoint", self._call("POST", f'/_petri/webhooks/endpoints/{part("endpoint_id", endpoint_id)}/rotate-secret', given({"secret": secret}, "secret")))


class WebhookFaultsKit:
    """Webhooks that come twice, late, out of order or with a wrong signature."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> WebhookFaults:
        """Returns those of the world and of its endpoints."""
        return cast("WebhookFaults", self._call("GET", "/_petri/webhooks/faults"))

    def set(self, *, duplicate: Optional[int] = UNSET, reorder: Any = UNSET, delay: Optional[str] = UNSET, drop_first: Optional[int] = UNSET, bad_signature: Optional[bool] = UNSET, stale_timestamp: Optional[bool] = UNSET, burst: Optional[int] = UNSET, respell: Optional[bool] = UNSET, endpoint_id: Optional[str] = UNSET) -> WebhookFaults:
        """Replaces all of the world, or of one endpoint."""
        return cast("WebhookFaults", self._call("PUT", "/_petri/webhooks/faults", given({"duplicate": duplicate, "reorder": reorder, "delay": delay, "drop_first": drop_first, "bad_signature": bad_signature, "stale_timestamp": stale_timestamp, "burst": burst, "respell": respell, "endpoint_id": endpoint_id}, "duplicate", "delay", "drop_first", "bad_signature", "stale_timestamp", "burst", "respell", "endpoint_id")))

    def clear(self) -> None:
        """Removes all."""
        self._call("DELETE", "/_petri/webhooks/faults")


class RequestsKit:
    """The calls of the program under test."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, operation: Optional[str] = UNSET, status: Optional[str] = UNSET, method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = UNSET, path: Optional[str] = UNSET, since: Optional[str] = UNSET, order_id: Optional[str] = UNSET, user_id: Optional[str] = UNSET, q: Optional[str] = UNSET, ignored: Optional[bool] = UNSET, order: Optional[Literal["asc", "desc"]] = UNSET, limit: Optional[int] = UNSET) -> List[RequestSummary]:
        """Returns all calls."""
        return rows(self._call, "/_petri/requests", given({"operation": operation, "status": status, "method": method, "path": path, "since": since, "order_id": order_id, "user_id": user_id, "q": q, "ignored": ignored, "order": order, "limit": limit}, "operation", "status", "method", "path", "since", "order_id", "user_id", "q", "ignored"))

    def get(self, request_id: str) -> Request:
        """Returns a call with what it caused."""
        return cast("Request", self._call("GET", f'/_petri/requests/{part("request_id", request_id)}'))

    def wait(self, operation: str, *, status: Any = UNSET, times: Optional[int] = UNSET, timeout: Optional[str] = UNSET) -> List[RequestSummary]:
        """Waits for calls."""
        return cast("List[RequestSummary]", self._call("POST", "/_petri/wait", given({"request": given({"operation": operation, "status": status}), "times": times, "timeout": timeout}))["requests"])

    def clear(self) -> None:
        """Forgets them."""
        self._call("DELETE", "/_petri/requests")


class FaultsKit:
    """Calls that fail."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> List[Fault]:
        """Returns all."""
        return cast("List[Fault]", self._call("GET", "/_petri/faults")["faults"])

    def set(self, *faults: FaultInput) -> List[Fault]:
        """Replaces all."""
        return cast("List[Fault]", self._call("PUT", "/_petri/faults", {"faults": list(faults)})["faults"])

    def clear(self) -> None:
        """Removes all."""
        self._call("DELETE", "/_petri/faults")


class SnapshotsKit:
    """States of a world with a name."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> List[Snapshot]:
        """Returns all."""
        return cast("List[Snapshot]", self._call("GET", "/_petri/snapshots")["data"])

    def save(self, name: str) -> None:
        """Saves the state of the world."""
        self._call("PUT", f'/_petri/snapshots/{part("name", name)}')

    def restore(self, name: str) -> None:
        """Makes the world as it was."""
        self._call("POST", f'/_petri/snapshots/{part("name", name)}/restore')

    def remove(self, name: str) -> None:
        """Deletes one."""
        self._call("DELETE", f'/_petri/snapshots/{part("name", name)}')


class StateKit:
    """The whole state of a world."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def export(self) -> Any:
        """Returns the state."""
        return cast("Any", self._call("GET", "/_petri/state"))

    def import_(self, state: Any) -> None:
        """Replaces the state of the world."""
        self._call("PUT", "/_petri/state", state)


class WorldVerbs:
    """Of the world itself."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def trigger(self, event_type: str, *, order_id: Optional[str] = UNSET, user_id: Optional[str] = UNSET, provider: Optional[str] = UNSET, appointment_id: Optional[str] = UNSET, job_id: Optional[str] = UNSET, raw_result_id: Optional[str] = UNSET, quote_id: Optional[str] = UNSET, checkout_session_id: Optional[str] = UNSET, data: Any = UNSET) -> Triggered:
        """Sends an event of the catalogue about an object of the world."""
        return cast("Triggered", self._call("POST", "/_petri/trigger", given({"event_type": event_type, "order_id": order_id, "user_id": user_id, "provider": provider, "appointment_id": appointment_id, "job_id": job_id, "raw_result_id": raw_result_id, "quote_id": quote_id, "checkout_session_id": checkout_session_id, "data": data})))

    def coverage(self) -> Coverage:
        """Returns what the clients of this world have met."""
        return cast("Coverage", self._call("GET", "/_petri/coverage"))

    def agenda(self, *, subject: Optional[str] = UNSET, limit: Optional[int] = UNSET) -> Agenda:
        """Returns the pending jobs, the earliest first; those of one order, message or user if named."""
        return cast("Agenda", self._call("GET", "/_petri/agenda", query=given({"subject": subject, "limit": limit}, "subject")))

    def lifecycle(self) -> Lifecycle:
        """Returns the statuses of an order by workflow, and where each leads."""
        return cast("Lifecycle", self._call("GET", "/_petri/lifecycle"))

    def describe(self) -> WorldView:
        """Returns the settings and counts of the world."""
        return cast("WorldView", self._call("GET", "/_petri/world"))

    def set(self, *, scenario: Optional[str] = UNSET, like: Optional[Literal["sandbox", "production"]] = UNSET, features: Optional[FeaturePatch] = UNSET, api_key: Optional[str] = UNSET) -> WorldView:
        """Changes the scenario and features."""
        return cast("WorldView", self._call("PATCH", "/_petri/world", given({"scenario": scenario, "like": like, "features": features, "api_key": api_key})))

    def reset(self, *, seed: Any = UNSET, keep_endpoints: Optional[bool] = UNSET, new_ids: Optional[bool] = UNSET) -> None:
        """Makes the world as it was at first, or with another seed."""
        self._call("POST", "/_petri/reset", given({"seed": seed, "keep_endpoints": keep_endpoints, "new_ids": new_ids}))
