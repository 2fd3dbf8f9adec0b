"""What goes wrong between a test and Petri."""

from __future__ import annotations

import json
from typing import Any


class PetriProblem(Exception):
    """Petri cannot be started, found or used; the message says why, in a sentence."""


class PetriRefusal(PetriProblem):
    """Petri answered with an error."""

    def __init__(self, call: str, status: int, body: Any) -> None:
        super().__init__(f"{call} answered {status}: {_text_of(body)}")
        self.status = status
        self.body = body


def _text_of(body: Any) -> str:
    if not isinstance(body, dict):
        return "nothing" if body is None else str(body)
    detail, *others = [_plain(body.get("detail"))], *(
        f"  {name}: {_plain(value)}" for name, value in body.items() if name != "detail"
    )
    return "\n".join([*detail, *others])


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, dict) and "msg" in each for each in value):
        return "\n".join(f"{'.'.join(map(str, each.get('loc', [])))}: {each['msg']}" for each in value)
    return json.dumps(value)
