"""A Petri that this process starts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections import deque
from typing import Deque, List, Optional

from ._refusal import PetriProblem

#: Seconds that a Petri may take to start, and to stop.
START_S = 30

#: Seconds after which a Petri that does not answer has not ended.
END_S = 5

#: How many lines of its log are told.
LOG_LINES = 20

ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):\d+")
#: Words are separated by white space; what is between quotes belongs to one word. The kits of all languages read it so.
WORD = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""")
SOURCE_FILE = re.compile(r"\.[cm]?[jt]s$")
QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")


class PetriProcess:
    """Starts a Petri that stores nothing and ends with this process, which holds its standard input."""

    def __init__(self, command: List[str], arguments: List[str]) -> None:
        self._command = [*command, "start", "--host", "127.0.0.1", "--port", "0", "--data", "memory", "--attached", *arguments]
        self._log: Deque[str] = deque(maxlen=LOG_LINES)
        self._url: Optional[str] = None
        self._ready = threading.Event()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=_environment(),
            )
        except OSError as problem:
            raise PetriProblem(f"{self} cannot be run: {problem.strerror}{_missing_file(command)}") from problem
        threading.Thread(target=self._read, daemon=True).start()
        self.url = self._started()

    def __str__(self) -> str:
        return " ".join(self._command)

    def end(self) -> str:
        """How it has ended, with the last lines of its log; empty while it runs. Its end may be noticed later than its silence."""
        try:
            status = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return ""
        return f"Petri has ended with status {status}. Its last lines:\n{self._last_lines()}"

    def close(self) -> None:
        if self._process.stdin and self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait(timeout=START_S)

    def _started(self) -> str:
        if self._ready.wait(START_S) and self._url:
            return self._url
        self._process.terminate()
        why = self._last_lines() or f"nothing within {START_S} seconds"
        raise PetriProblem(f"{self} did not start: {why}{_missing_file(self._command)}")

    def _last_lines(self) -> str:
        return "\n".join(self._log).strip()

    def _read(self) -> None:
        """Reads the log to its end, so that Petri is never held up."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._log.append(line.rstrip())
            address = ADDRESS.search(line)
            if address and not self._url:
                self._url = address.group()
                self._ready.set()
        self._ready.set()


def _environment() -> "dict[str, str]":
    """The settings of another Petri are not for this one, but for the user's scenarios."""
    return {name: value for name, value in os.environ.items() if name == "PETRI_SCENARIOS" or not name.startswith("PETRI_")}


def given_command() -> str:
    return os.environ.get("PETRI_COMMAND", "").strip()


def _missing_file(command: List[str]) -> str:
    """What to say of a program or script that `PETRI_COMMAND` names by a relative path."""
    if not given_command():
        return ""
    for index, word in enumerate(command):
        is_file = (index == 0 and re.search(r"[/\\]", word)) or (SOURCE_FILE.search(word) and not word.startswith("-"))
        if is_file and not os.path.isabs(word) and not os.path.exists(word):
            where = f"there is no such file in {os.getcwd()}"
            return f"\n{word} is a relative path, and {where}: write an absolute path into PETRI_COMMAND."
    return ""


def start_command() -> List[str]:
    """The command that starts a Petri, without its arguments."""
    if given_command():
        return words(given_command())
    image = os.environ.get("PETRI_IMAGE")
    if image:
        engine = next((name for name in ("docker", "podman") if shutil.which(name)), None)
        if engine is None:
            raise PetriProblem("PETRI_IMAGE is set, but there is neither docker nor podman.")
        # With the network of this machine, the receivers of tests can be reached.
        return [engine, "run", "--rm", "--interactive", "--network", "host", *_mounted_scenarios(), image]
    for name in ("petri-sandbox", "petri"):
        if shutil.which(name):
            return [name]
    raise PetriProblem(
        "There is no Petri: set PETRI_COMMAND to the command that starts one, PETRI_URL to one that runs, or PETRI_IMAGE."
    )


def _mounted_scenarios() -> List[str]:
    folder = os.environ.get("PETRI_SCENARIOS")
    return ["--volume", f"{os.path.abspath(folder)}:/scenarios:ro", "--env", "PETRI_SCENARIOS=/scenarios"] if folder else []


def words(command: str) -> List[str]:
    if WORD.sub("", command).strip():
        raise PetriProblem(f"PETRI_COMMAND has a quote without its end: {command}")
    return [QUOTED.sub(lambda quoted: quoted.group(1) or quoted.group(2) or "", word) for word in WORD.findall(command)]
