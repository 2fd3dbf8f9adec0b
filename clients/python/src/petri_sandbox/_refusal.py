"""What goes wrong between a test and Petri."""

from __future__ import annotations

import json
from typing import Any, Optional


class PetriProblem(Exception):
    """Petri cannot be started, found or used; the message says why, in a sentence."""


class PetriRefusal(PetriProblem):
    """Petri answered with an error."""

    def __init__(self, call: str, status: int, body: Any) -> None:
        super().__init__(f"{call} answered {status}: {_text_of(body)}")
        self.status = status
        self.body = body


def _text_of(body: Any) -> str:
    """The explanation first, then what else Petri says."""
    if not isinstance(body, dict):
        return "nothing" if body is None else str(body)
    detail = body.get("detail")
    issues = [_issue(each) for each in detail] if isinstance(detail, list) else [_plain(detail)]
    others = [f"  {name}:{_timeline(value) or ' ' + _plain(value)}" for name, value in body.items() if name != "detail"]
    return "\n".join([*issues, *others])


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value) or "nothing"
    return json.dumps(value)


def _timeline(value: Any) -> Optional[str]:
    """What happened when, a line each."""
    is_timeline = isinstance(value, list) and all(isinstance(each, dict) and "at" in each and "what" in each for each in value)
    return "".join(f"\n    {each['at']}  {each['what']}" for each in value) if is_timeline else None


def _issue(value: Any) -> str:
    """What is wrong with a field of a request."""
    is_issue = isinstance(value, dict) and "loc" in value and "msg" in value
    return f"{'.'.join(map(str, value['loc']))}: {value['msg']}" if is_issue else _plain(value)
