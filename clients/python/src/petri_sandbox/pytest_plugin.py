"""Fixtures for pytest: a world for each test, and a receiver of its webhooks."""

from __future__ import annotations

from typing import Any, Dict, Generator

import pytest

from ._petri import Petri, World, start
from ._receiver import Receiver
from ._refusal import PetriProblem


#: How much of the journal a failed test shows.
JOURNAL_LINES = 30


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "petri(scenario=None, seed=None, now=None, frozen=True, ...): options of the world of the test"
    )


#: The world of a test, which is read once more after the test has ended.
WORLD = pytest.StashKey[World]()


@pytest.fixture(scope="session")
def petri_server(request: pytest.FixtureRequest) -> Petri:
    """The Petri of the session: that of PETRI_URL, or one that is started."""
    petri = start()
    request.config.add_cleanup(petri.close)
    return petri


@pytest.fixture
def petri(petri_server: Petri, request: pytest.FixtureRequest) -> World:
    """A world for this test, with a frozen clock unless the marker says otherwise."""
    options: Dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("petri"))):
        options.update(marker.kwargs)
    world = petri_server.world(**options)
    request.node.stash[WORLD] = world
    request.addfinalizer(world.close_receivers)
    return world


@pytest.fixture
def petri_receiver(petri: World) -> Receiver:
    """A receiver of the webhooks of this test, which verifies their signatures."""
    receiver = petri.receiver()
    petri.webhooks.deliver_to(receiver, secret=petri.webhook_secret)
    return receiver


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    report = (yield).get_result()
    world = item.stash.get(WORLD, None)
    if world is None:
        return
    if report.failed:
        report.sections.append(("Petri: what was asked and delivered", _journal(world)))
    if report.when == "teardown":
        world.close()


def _journal(world: World) -> str:
    try:
        lines = world.journal().splitlines()
    except PetriProblem as problem:  # The failure of the test matters more.
        return f"The journal cannot be read: {problem}"
    left_out = len(lines) - JOURNAL_LINES
    head = [f"{world.url}, key {world.api_key}"]
    if left_out > 0:
        head.append(f"({left_out} earlier lines are left out)")
    return "\n".join([*head, *lines[-JOURNAL_LINES:]])
