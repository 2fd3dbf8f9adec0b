"""Fixtures for pytest: a world for each test, and a receiver of its webhooks."""

from __future__ import annotations

from typing import Any, Dict, Generator

import pytest

from ._petri import Petri, World, start
from ._receiver import Receiver


#: How much of the journal a failed test shows.
JOURNAL_LINES = 30


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "petri(scenario=None, seed=None, now=None, frozen=True, ...): options of the world of the test"
    )


@pytest.fixture(scope="session")
def petri_server() -> Generator[Petri, None, None]:
    """The Petri of the session: that of PETRI_URL, or one that is started."""
    with start() as petri:
        yield petri


@pytest.fixture
def petri(petri_server: Petri, request: pytest.FixtureRequest) -> Generator[World, None, None]:
    """A world for this test, with a frozen clock unless the marker says otherwise."""
    options: Dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("petri"))):
        options.update(marker.kwargs)
    with petri_server.world(**options) as world:
        yield world


@pytest.fixture
def petri_receiver(petri: World) -> Receiver:
    """A receiver of the webhooks of this test, which verifies their signatures."""
    receiver = petri.receiver()
    petri.webhooks.deliver_to(receiver, secret=petri.webhook_secret)
    return receiver


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    report = (yield).get_result()
    world = getattr(item, "funcargs", {}).get("petri")
    if report.when != "call" or not report.failed or not isinstance(world, World):
        return
    try:
        lines = world.journal().splitlines()
        left_out = len(lines) - JOURNAL_LINES
        journal = "\n".join(([f"({left_out} earlier lines are left out)"] if left_out > 0 else []) + lines[-JOURNAL_LINES:])
        journal = f"{world.url}, key {world.api_key}\n{journal}"
    except Exception as problem:  # The failure of the test matters more.
        journal = f"The journal cannot be read: {problem}"
    report.sections.append(("Petri: what was asked and delivered", journal))
