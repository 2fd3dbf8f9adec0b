"""Leads the calls of this process to the hosts of the live service to a Petri."""

from __future__ import annotations

import importlib
from typing import Any, Callable, List, Tuple
from urllib.parse import urlsplit

from ._hosts import LIVE_HOSTS

#: Headers with the key of a team.
KEY_HEADERS = ("x-vital-api-key", "x-service-api-key")


class Interception:
    """Until it is closed, httpx and requests call a Petri in place of the live service. Use it in a `with` block."""

    def __init__(self, url: str, api_key: str) -> None:
        self._url, self._api_key = url.rstrip("/"), api_key
        self._undo: List[Callable[[], None]] = []
        for module, cls, method, redirect in _PATCHES:
            self._patch(module, cls, method, redirect)

    def close(self) -> None:
        while self._undo:
            self._undo.pop()()

    def __enter__(self) -> "Interception":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _patch(self, module: str, cls: str, method: str, redirect: "Redirect") -> None:
        try:
            owner = getattr(importlib.import_module(module), cls)
        except ImportError:
            return
        before = getattr(owner, method)

        def send(transport: Any, request: Any, *args: Any, **options: Any) -> Any:
            redirect(self, request)
            return before(transport, request, *args, **options)

        setattr(owner, method, send)
        self._undo.append(lambda: setattr(owner, method, before))

    def _redirect_httpx(self, request: Any) -> None:
        if request.url.host not in LIVE_HOSTS:
            return
        target = urlsplit(self._url)
        request.url = request.url.copy_with(scheme=target.scheme, host=target.hostname, port=target.port)
        request.headers["host"] = target.netloc
        self._use_key(request.headers)

    def _redirect_requests(self, request: Any) -> None:
        url = urlsplit(request.url)
        if url.hostname not in LIVE_HOSTS:
            return
        request.url = self._url + url._replace(scheme="", netloc="").geturl()
        self._use_key(request.headers)

    def _use_key(self, headers: Any) -> None:
        for name in KEY_HEADERS:
            if name in headers:
                headers[name] = self._api_key


Redirect = Callable[[Interception, Any], None]

_PATCHES: Tuple[Tuple[str, str, str, Redirect], ...] = (
    ("httpx", "HTTPTransport", "handle_request", Interception._redirect_httpx),
    ("httpx", "AsyncHTTPTransport", "handle_async_request", Interception._redirect_httpx),
    ("requests.adapters", "HTTPAdapter", "send", Interception._redirect_requests),
)
