import pytest

from petri import World


@pytest.fixture
def world():
    world = World(now="2026-01-05T09:00:00Z")
    yield world
    world.close()
