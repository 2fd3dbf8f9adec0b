"""The signature of webhooks: the Svix scheme, with the standard library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from datetime import datetime
from typing import Callable, Mapping, Optional, Union

#: Seconds that a timestamp may differ from the clock of this machine.
TOLERANCE_S = 300


def _machine_clock() -> Callable[[], float]:
    """The clock of this machine in seconds, also while a test freezes it: freezegun and time-machine leave this function alone."""
    elapsed = time.perf_counter
    start = time.time() - elapsed()
    return lambda: start + elapsed()


machine_now = _machine_clock()


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, *, now: Optional[Union[datetime, float]] = None
) -> None:
    """
    Raises a ValueError unless the headers sign this body with this secret, and not long before or after `now`: a time, or its
    seconds since 1970. Without it, this is the time of the machine, also in a test that has frozen the clock.
    """
    seconds = now.timestamp() if isinstance(now, datetime) else now
    if seconds is None:
        seconds = machine_now()
    given = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("svix-id", "svix-timestamp", "svix-signature") if name not in given]
    if missing:
        raise ValueError(f"The header {missing[0]} is missing.")
    timestamp = given["svix-timestamp"]
    if not timestamp.isdigit() or abs(seconds - int(timestamp)) > TOLERANCE_S:
        raise ValueError("The timestamp of the webhook is too old or too new.")
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    signed = f"{given['svix-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    versions = [part.partition(",") for part in given["svix-signature"].split()]
    if not any(version == "v1" and hmac.compare_digest(expected, value) for version, _, value in versions):
        raise ValueError("No signature of the webhook matches its body and the secret.")
