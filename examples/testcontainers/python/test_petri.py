"""pip install testcontainers pytest && pytest test_petri.py"""

import json
import os
import time
import urllib.request
from urllib.error import URLError

import pytest
from testcontainers.core.container import DockerContainer


def call(url, method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **(headers or {})}
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as answer:
        return json.load(answer)


def until_healthy(url, seconds=30):
    for _ in range(seconds * 10):
        try:
            return call(url, "GET", "/_petri/health")
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise TimeoutError(url)


@pytest.fixture(scope="session")
def petri():
    container = (
        DockerContainer(os.environ.get("PETRI_IMAGE", "ghcr.io/example/petri-sandbox"))
        .with_exposed_ports(4080)
        .with_env("PETRI_DATA", "memory")
        .with_env("PETRI_CONTROL_TOKEN", "control")
    )
    with container:
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4080)}"
        until_healthy(url)
        yield url


def test_time_moves_when_it_is_told_to(petri):
    birth = {"frozen": True, "now": "2026-01-05T09:00:00Z"}
    world = call(petri, "POST", "/_petri/worlds", birth, {"authorization": "Bearer control"})
    key = {"x-vital-api-key": world["api_key"]}
    advanced = call(petri, "POST", "/_petri/clock/advance", {"by": "3d"}, key)
    assert advanced["now"] == "2026-01-08T09:00:00.000Z"
