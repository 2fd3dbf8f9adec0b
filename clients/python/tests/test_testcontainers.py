"""The container, with a stand-in for the package testcontainers: a process in place of a container."""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

from petri_sandbox import PetriProblem
from petri_sandbox._process import ADDRESS, start_command

SCENARIO = """\
name: cancelled-after-a-day
summary: "The order is cancelled after a day."
method: testkit
steps:
  - { after: 1d, status: cancelled }
"""


class HttpWaitStrategy:
    def __init__(self, port, path):
        self.asked = (port, path)

    def for_status_code(self, code):
        self.asked = (*self.asked, code)
        return self


class DockerContainer:
    """Starts the Petri of these tests as the container would: with its variables and its copied files."""

    def __init__(self, image):
        self.image, self.ports, self.env, self.files, self.strategy = image, [], {}, [], None

    def with_exposed_ports(self, *ports):
        self.ports += ports

    def with_env(self, name, value):
        self.env[name] = value

    def with_copy_into_container(self, file, destination):
        self.files.append((file, destination))

    def waiting_for(self, strategy):
        self.strategy = strategy

    def start(self):
        self.root = Path(tempfile.mkdtemp())
        for file, destination in self.files:
            inside = self.root / destination.lstrip("/")
            inside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, inside)
        own = {name: value for name, value in os.environ.items() if not name.startswith("PETRI_")}
        given = {name: str(self.root) + value if value.startswith("/") else value for name, value in self.env.items()}
        command = [*start_command(), "start", "--host", "127.0.0.1", "--port", "0", "--attached"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process = subprocess.Popen(command, env={**own, **given}, **pipes)
        self.address = next(found.group() for line in self.process.stdout if (found := ADDRESS.search(line)))
        return self

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def get_container_host_ip(self):
        return "127.0.0.1"

    def get_exposed_port(self, port):
        assert port in self.ports
        return int(self.address.rpartition(":")[2])

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


@pytest.fixture
def module(monkeypatch):
    for name, content in {
        "testcontainers": {},
        "testcontainers.core": {},
        "testcontainers.core.container": {"DockerContainer": DockerContainer},
        "testcontainers.core.wait_strategies": {"HttpWaitStrategy": HttpWaitStrategy},
    }.items():
        stand_in = ModuleType(name)
        vars(stand_in).update(content)
        monkeypatch.setitem(sys.modules, name, stand_in)
    monkeypatch.delitem(sys.modules, "petri_sandbox.testcontainers", raising=False)
    yield importlib.import_module("petri_sandbox.testcontainers")
    sys.modules.pop("petri_sandbox.testcontainers", None)


@pytest.mark.skipif("PETRI_COMMAND" not in os.environ, reason="starts PETRI_COMMAND in place of a container")
def test_a_container_has_worlds_and_the_scenarios_that_were_copied(module, tmp_path):
    folder = tmp_path / "mine" / "deep"
    folder.mkdir(parents=True)
    (folder / "cancelled-after-a-day.yaml").write_text(SCENARIO)
    container = module.PetriContainer().with_scenarios(tmp_path / "mine")
    assert container.strategy.asked == (4080, "/_petri/health", 200)
    assert container.files[0][1] == "/scenarios/deep/cancelled-after-a-day.yaml"
    with container, container.world(scenario="cancelled-after-a-day") as world:
        order = world.orders.place()
        assert world.orders.scenario(order["id"])["scenario"] == "cancelled-after-a-day"
        assert world.url == container.url


def test_a_folder_without_scenario_files_is_refused(module, tmp_path):
    with pytest.raises(PetriProblem, match="There is no scenario file in"):
        module.PetriContainer().with_scenarios(tmp_path)


def test_without_the_package_an_import_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "testcontainers", None)
    monkeypatch.delitem(sys.modules, "petri_sandbox.testcontainers", raising=False)
    with pytest.raises(ImportError, match="pip install 'petri-sandbox\\[testcontainers\\]'"):
        importlib.import_module("petri_sandbox.testcontainers")
