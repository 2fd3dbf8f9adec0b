"""Calls of a Petri, with the headers of a world or of a controller."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional
from urllib.parse import quote

import httpx

from ._refusal import PetriProblem, PetriRefusal

#: Seconds in which a call is answered.
CALL_S = 60

#: Calls that last until the world is where it should be; whoever calls ends them by hanging up.
LONG_CALLS = ("/_petri/clock/advance", "/_petri/wait")


class Caller:
    def __init__(self, http: httpx.Client, headers: Mapping[str, str], end: Callable[[], str]) -> None:
        self._http, self._headers, self._end = http, dict(headers), end
        #: When and what the test has ordered, because calls of the control API are not recorded.
        self.orders: List[Dict[str, Any]] = []
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True

    def fetch(self, method: str, path: str, *, headers: Optional[Mapping[str, str]] = None, **options: Any) -> httpx.Response:
        """Sends a call and returns the response, whatever its status."""
        if self._is_closed:
            raise PetriProblem("This world has ended: its test is over, or has closed it.")
        if path in LONG_CALLS:
            options["timeout"] = None
        try:
            return self._http.request(method, path, headers={**self._headers, **(headers or {})}, **options)
        except httpx.HTTPError as problem:
            why = self._end() or str(problem)
            raise PetriProblem(f"No answer from {str(self._http.base_url).rstrip('/')}: {why}") from problem

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Sends a call and returns its JSON. Raises a PetriRefusal for an error."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        response = self.fetch(method, path, json=body, params=given or None, headers=headers)
        try:
            result: Any = response.json() if response.content else None
        except ValueError:
            result = response.text
        if not response.is_success:
            raise PetriRefusal(f"{method} {path}", response.status_code, result)
        if (method, path) == ("POST", "/_petri/orders"):
            self.orders.append(result)
        return result


def rows(call: Any, path: str, filters: Mapping[str, Any]) -> List[Any]:
    """All rows of a list with pages."""
    found: List[Any] = []
    cursor: Optional[str] = None
    while True:
        page = call("GET", path, query={**filters, "limit": 500, "cursor": cursor})
        found += page["data"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def part(name: str, value: str) -> str:
    """A part of a path."""
    if not isinstance(value, str) or not value:
        raise PetriProblem(f"{name} should be a text that is not empty; it is {value!r}.")
    return quote(value, safe="")
