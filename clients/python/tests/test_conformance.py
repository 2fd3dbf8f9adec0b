"""Runs the steps that the clients of all languages have in common."""

import re
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

FILES = sorted((Path(__file__).parents[2] / "conformance").glob("*.yaml"))
TABLE = Path(__file__).parents[2] / "README.md"
#: Verbs that have another name in Python, and arguments that are passed by name.
NAMES = {"import": "import_"}


def method(owner, verb):
    """A method such as `orders.set_scenario`; None if the kit has none."""
    for name in verb.split("."):
        snake = re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)
        owner = getattr(owner, NAMES.get(snake, snake), None)
    return owner


def test_the_table_of_verbs_is_that_of_the_kit(petri, petri_server):
    rows = re.findall(r"^\| `(.+?)` \| \w* \| (\w*) \|", TABLE.read_text(), re.MULTILINE)
    assert len(rows) > 60
    for verb, cell in rows:
        assert (cell == "yes") == callable(method(petri_server if verb == "world" else petri, verb)), verb


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_conforms(file, petri_server):
    script = yaml.safe_load(file.read_text())
    with petri_server.world(**script.get("world", {})) as world:
        known = {}
        for step in script["steps"]:
            call = method(world, step["do"])
            arguments = [fill(each, known) for each in step.get("with", [])]
            options = fill(step.get("options", {}), known)
            try:
                result = call(*arguments, **options)
            except Exception as problem:
                assert getattr(problem, "status", None) == step.get("refused"), (step, problem)
                continue
            assert "refused" not in step, step
            if "as" in step:
                known[step["as"]] = result
            if "expect" in step:
                assert differences(fill(step["expect"], known), result) == [], step


def fill(value, known):
    """Replaces `$order.id` by what an earlier step has returned."""
    if isinstance(value, dict):
        return {name: fill(each, known) for name, each in value.items()}
    if isinstance(value, list):
        return [fill(each, known) for each in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    name, *path = value[1:].split(".")
    found = known[name]
    for part in path:
        found = found[int(part)] if part.isdigit() else found[part]
    return found


def differences(expected, actual, at=""):
    """What is expected of an object may be a part of it; a list has as many items."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{at}: {actual!r}"]
        return [line for name in expected for line in differences(expected[name], actual.get(name), f"{at}.{name}")]
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{at}: {actual!r}"]
        return [line for i, each in enumerate(expected) for line in differences(each, actual[i], f"{at}[{i}]")]
    return [] if expected == actual else [f"{at}: {actual!r}, not {expected!r}"]
