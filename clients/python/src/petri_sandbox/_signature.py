"""The signature of webhooks: the Svix scheme, with the standard library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import Mapping

#: Seconds that a timestamp may differ from the clock of this machine.
TOLERANCE_S = 300


def verify(secret: str, headers: Mapping[str, str], body: bytes) -> None:
    """Raises a ValueError unless the headers sign this body with this secret, and not long ago."""
    given = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("svix-id", "svix-timestamp", "svix-signature") if name not in given]
    if missing:
        raise ValueError(f"The header {missing[0]} is missing.")
    timestamp = given["svix-timestamp"]
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise ValueError("The timestamp of the webhook is too old or too new.")
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    signed = f"{given['svix-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    versions = [part.partition(",") for part in given["svix-signature"].split()]
    if not any(version == "v1" and hmac.compare_digest(expected, value) for version, _, value in versions):
        raise ValueError("No signature of the webhook matches its body and the secret.")
