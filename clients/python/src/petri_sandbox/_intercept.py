"""Leads the calls of this process to the hosts of the live service to a Petri."""

from __future__ import annotations

import importlib
import re
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
        for patch in _PATCHES:
            self._patch(*patch)

    def close(self) -> None:
        while self._undo:
            self._undo.pop()()

    def __enter__(self) -> "Interception":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _patch(self, module: str, cls: str, method: str, send_to_petri: "Send") -> None:
        try:
            owner = getattr(importlib.import_module(module), cls)
        except ImportError:
            return
        before = getattr(owner, method)

        def send(transport: Any, request: Any, *args: Any, **options: Any) -> Any:
            if urlsplit(str(request.url)).hostname in LIVE_HOSTS:
                return send_to_petri(self, before, transport, request, args, options)
            return before(transport, request, *args, **options)

        setattr(owner, method, send)
        self._undo.append(lambda: setattr(owner, method, before))

    def _send_httpx(self, before: Any, transport: Any, request: Any, *_: Any) -> Any:
        target = urlsplit(self._url)
        request.url = request.url.copy_with(scheme=target.scheme, host=target.hostname, port=target.port)
        request.headers["host"] = target.netloc
        self._use_key(request.headers)
        return before(_direct(transport, target.scheme), request)

    def _send_requests(self, before: Any, adapter: Any, request: Any, args: Any, options: Any) -> Any:
        request.url = self._url + urlsplit(request.url)._replace(scheme="", netloc="").geturl()
        self._use_key(request.headers)
        # Without the proxies, which are the last argument.
        return before(adapter, request, *args[:4], **{**options, "proxies": {}})

    def _use_key(self, headers: Any) -> None:
        # An API key in place of the token of a user.
        is_bearer = re.match("bearer [sp]k_", headers.get("authorization") or "", re.IGNORECASE)
        if is_bearer:
            del headers["authorization"]
        for name in KEY_HEADERS:
            if name in headers or is_bearer:
                headers[name] = self._api_key


def _direct(transport: Any, scheme: str) -> Any:
    """A transport of httpx for one call, which uses no proxy."""
    httpx = importlib.import_module("httpx")
    kind = httpx.HTTPTransport if isinstance(transport, httpx.HTTPTransport) else httpx.AsyncHTTPTransport
    return kind(verify=scheme == "https", limits=httpx.Limits(max_keepalive_connections=0))


Send = Callable[..., Any]

_PATCHES: Tuple[Tuple[str, str, str, Send], ...] = (
    ("httpx", "HTTPTransport", "handle_request", Interception._send_httpx),
    ("httpx", "AsyncHTTPTransport", "handle_async_request", Interception._send_httpx),
    ("requests.adapters", "HTTPAdapter", "send", Interception._send_requests),
)
