"""A container of Petri for Testcontainers: `pip install 'petri-sandbox[testcontainers]'`."""

from __future__ import annotations

import secrets
from os import PathLike
from pathlib import Path
from typing import Any, Optional, Union

from ._petri import Petri, World, connect
from ._refusal import PetriProblem
from ._version import VERSION

try:
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import HttpWaitStrategy
except ImportError as problem:
    raise ImportError("testcontainers is missing: pip install 'petri-sandbox[testcontainers]'") from problem

IMAGE = f"ghcr.io/example/petri-sandbox:{VERSION}"
PORT = 4080
#: Where the container has the scenario files of the test.
SCENARIOS = "/scenarios"


class PetriContainer(DockerContainer):
    """Petri in a container, which stores nothing. Use it in a `with` block, or start and stop it."""

    def __init__(self, image: str = IMAGE, **options: Any) -> None:
        super().__init__(image, **options)
        #: Makes worlds: the calls of a test come from another machine, as the container sees it.
        self.control_token = secrets.token_hex(16)
        self._petri: Optional[Petri] = None
        self.with_exposed_ports(PORT)
        self.with_env("PETRI_DATA", "memory")
        self.with_env("PETRI_CONTROL_TOKEN", self.control_token)
        self.waiting_for(HttpWaitStrategy(PORT, "/_petri/health").for_status_code(200))

    def with_scenarios(self, folder: Union[str, PathLike[str]]) -> PetriContainer:
        """Copies the files of this folder into the container, whose worlds then have its scenarios."""
        root = Path(folder)
        files = sorted(each for each in root.rglob("*") if each.is_file())
        if not files:
            raise PetriProblem(f"There is no scenario file in {root}.")
        for file in files:
            self.with_copy_into_container(file, f"{SCENARIOS}/{file.relative_to(root).as_posix()}")
        self.with_env("PETRI_SCENARIOS", SCENARIOS)
        return self

    @property
    def url(self) -> str:
        return f"http://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}"

    def petri(self) -> Petri:
        """The Petri in the running container."""
        if self._petri is None:
            self._petri = connect(self.url, self.control_token)
        return self._petri

    def world(self, **options: Any) -> World:
        """Creates a world, with the options of `Petri.world`."""
        return self.petri().world(**options)

    def stop(self, *arguments: Any, **options: Any) -> None:
        if self._petri is not None:
            self._petri.close()
            self._petri = None
        super().stop(*arguments, **options)
