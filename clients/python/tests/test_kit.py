"""The life of a kit in forty lines, with the receiver of the test in place of a program's own."""

import asyncio
import json
import re
import threading
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests

import petri_sandbox
from petri_sandbox._petri import _receiver_host
from petri_sandbox._process import words
from petri_sandbox._version import VERSION

MINE = """\
name: mine
summary: "The order is cancelled after a day."
method: testkit
steps: [{ after: 1d, status: cancelled }]
"""


@pytest.mark.petri(now="2026-01-05T09:00:00Z", scenario="problem-in-transit-customer")
def test_a_kit_is_lost_and_found(petri, petri_receiver):
    # The same webhook twice, as the service may send it.
    petri.webhooks.faults.set(duplicate=1)
    order = petri.orders.place()
    petri.clock.advance("5d")
    assert petri.orders.get(order["id"])["last_event"]["status"].endswith(".problem_in_transit_customer")
    statuses = [event["last_event"]["status"] for event in petri_receiver.events("labtest.order.updated")]
    assert statuses[-1] == "collecting_sample.testkit.problem_in_transit_customer"
    assert len(petri_receiver.received) > len(petri_receiver.events())
    assert petri_receiver.refused == []


def test_a_critical_result(petri, petri_receiver):
    order = petri.orders.place()
    petri.orders.move(order["id"], "completed", results={"interpretation": "critical"}, force=True)
    petri.clock.settle()
    result = petri.call("GET", f"/v3/order/{order['id']}/result")
    assert result["metadata"]["interpretation"] == "critical"
    assert petri_receiver.events("labtest.order.updated")[-1]["last_event"]["status"] == "completed.testkit.completed"


def test_a_forged_webhook_is_refused(petri, petri_receiver):
    petri.webhooks.faults.set(bad_signature=True)
    petri.orders.place()
    petri.clock.settle()
    assert petri_receiver.received == []
    reason = "No signature of the webhook matches its body and the secret."
    assert reason in petri_receiver.refused
    assert f"pending (The receiver answered 401: {reason})" in petri.journal()


@pytest.mark.petri(now="2026-01-05T09:00:00Z")
@pytest.mark.parametrize("library", ["freezegun", "time_machine"])
def test_webhooks_are_accepted_while_the_test_has_frozen_its_clock(petri, petri_receiver, library):
    frozen = pytest.importorskip(library)
    freeze = frozen.freeze_time if library == "freezegun" else frozen.travel
    with freeze(petri.clock.now()):
        petri.orders.place()
        petri.clock.settle()
        assert petri_receiver.refused == []
        assert len(petri_receiver.events("labtest.order.created")) == 1
        petri.webhooks.faults.set(stale_timestamp=True)
        petri.orders.place()
        petri.clock.settle()
    assert set(petri_receiver.refused) == {"The timestamp of the webhook is too old or too new."}


def test_a_webhook_is_verified_at_a_time_of_choice(petri, petri_receiver):
    petri.orders.place()
    petri.clock.settle()
    webhook = petri_receiver.received[0]
    sent = int(webhook.headers["svix-timestamp"])
    for now in (sent + 300, datetime.fromtimestamp(sent - 300, timezone.utc)):
        petri_sandbox.verify(petri.webhook_secret, webhook.headers, webhook.body, now=now)
    for now in (sent + 301, sent - 301):
        with pytest.raises(ValueError, match="too old or too new"):
            petri_sandbox.verify(petri.webhook_secret, webhook.headers, webhook.body, now=now)


def test_calls_of_the_live_service_are_intercepted(petri):
    headers = {"x-vital-api-key": "sk_us_any"}
    with petri.intercept():
        made = requests.post(
            "https://api.sandbox.tryvital.io/v2/user", json={"client_user_id": "ada"}, headers=headers, timeout=10
        )
        assert made.status_code == 200
        httpx = pytest.importorskip("httpx")
        bearer = {"authorization": "Bearer sk_us_any"}
        read = httpx.get(f"https://api.tryvital.io/v2/user/{made.json()['user_id']}", headers=bearer)
        assert read.json()["client_user_id"] == "ada"
    assert [call["method"] for call in petri.requests.list()] == ["POST", "GET"]


def test_intercepted_calls_pass_a_proxy_by(petri, monkeypatch):
    httpx = pytest.importorskip("httpx")
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")

    url, headers = "https://api.sandbox.tryvital.io/v2/user/ada", {"x-vital-api-key": "sk_us_any"}

    async def read():
        async with httpx.AsyncClient() as client:
            return await client.get(url, headers=headers)

    with petri.intercept():
        answers = [requests.get(url, headers=headers, timeout=10), httpx.get(url, headers=headers), asyncio.run(read())]
        assert [answer.status_code for answer in answers] == [422, 422, 422]
        with pytest.raises(httpx.ConnectError):
            httpx.get("https://vendor.example")
        with pytest.raises(requests.exceptions.ProxyError):
            requests.get("https://vendor.example", timeout=10)
    assert len(petri.requests.list()) == 3


def test_times_of_python_move_the_clock(petri):
    start = petri.clock.now()
    petri.clock.advance(timedelta(days=2, milliseconds=5))
    assert petri.clock.now() - start == timedelta(days=2, milliseconds=5)
    petri.clock.advance(to=start + timedelta(days=3))
    assert petri.clock.now() - start == timedelta(days=3)


@pytest.mark.parametrize("order_id", [None, "", {"id": "1"}])
def test_what_is_no_id_is_refused(petri, order_id):
    with pytest.raises(petri_sandbox.PetriProblem, match="order_id should be a text that is not empty; it is"):
        petri.orders.get(order_id)
    with pytest.raises(petri_sandbox.PetriProblem, match="deliver_to takes a URL, a receiver or a function, not"):
        petri.webhooks.deliver_to(None)


def test_a_refusal_has_the_words_of_petri(petri):
    with pytest.raises(petri_sandbox.PetriRefusal, match="answered 404") as refusal:
        petri.orders.get("00000000-0000-4000-8000-000000000000")
    assert refusal.value.status == 404
    order = petri.orders.place()
    with pytest.raises(petri_sandbox.PetriRefusal, match=r"\n  legal: \S+, \S+"):
        petri.orders.move(order["id"], "with_customer")


def test_a_failed_test_shows_the_journal_of_its_world(pytester):
    pytester.makepyfile(
        """
        import pytest, requests

        def call(petri, key):
            requests.get(petri.url + "/v2/user/" + key, headers={"x-vital-api-key": key})

        def test_fails(petri):
            petri.fetch("GET", "/v2/user/before")
            petri.orders.get(petri.orders.place()["id"])
            call(petri, "wrong")
            assert False

        @pytest.fixture
        def unready(petri):
            petri.fetch("GET", "/v2/user/in-set-up")
            raise ValueError("unready")

        def test_is_not_set_up(unready):
            pass

        @pytest.fixture
        def lasting(petri):
            yield
            petri.fetch("GET", "/v2/user/in-tear-down")
            raise ValueError("lasting")

        def test_is_not_torn_down(lasting):
            pass
        """
    )
    result = pytester.runpytest("-p", "petri_sandbox.pytest_plugin")
    result.assert_outcomes(failed=1, errors=2, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup*", "*GET /v2/user/in-set-up: 422",
            "*ERROR at teardown*", "*GET /v2/user/in-tear-down: 422",
            "*test_fails*", "*GET /v2/user/before: 422", "*the test placed order *", "*webhook labtest.order.created: no endpoint", "*GET /v3/order/*: 200",
            "With a key of no world*", "* GET /v2/user/{user_id}: 401 (invalid token)",
        ]
    )  # fmt: skip


def test_what_fails_in_a_handler_fails_the_test(pytester):
    pytester.makepyfile(
        """
        import pytest, time

        def raises(webhook):
            assert webhook.event_type == "another"

        @pytest.mark.parametrize("handler", [raises, lambda _: pytest.fail("never"), lambda _: time.sleep(60)])
        def test_a_handler(petri, handler):
            petri.webhooks.deliver_to(handler)
            petri.orders.place()
            petri.clock.settle()
        """
    )
    started = time.monotonic()
    result = pytester.runpytest("-p", "petri_sandbox.pytest_plugin", "-s")
    assert time.monotonic() - started < 60
    result.assert_outcomes(passed=3, errors=3)
    result.stdout.fnmatch_lines(
        ["*pending (The receiver answered 500: AssertionError*", "E*Failed: never", "*has not answered labtest.order.created.*"]
    )
    result.stderr.fnmatch_lines(["Petri: the handler of a receiver has not answered labtest.order.created for 3 s."])


def test_a_world_ends_once(petri_server):
    with pytest.raises(ZeroDivisionError), petri_server.world() as world:
        world.receiver(lambda webhook: 1 / 0)
        raise ZeroDivisionError
    world.close()
    with pytest.raises(petri_sandbox.PetriProblem, match="This world has ended"):
        world.orders.place()
    dropped = petri_server.world()
    petri_server.drop(dropped.team_id)
    dropped.close()


def test_a_petri_that_has_died_tells_how(petri_server):
    with petri_sandbox.start("--seed", "1") as petri, petri.world() as world:
        petri._process._process.kill()
        petri._process._process.wait()
        with pytest.raises(petri_sandbox.PetriProblem, match="(?s)No answer from .*has ended with status -9. Its last lines:"):
            world.orders.place()
        world._is_closed = True


@pytest.fixture
def answering():
    """Starts servers that answer like a Petri of a version."""
    servers = []

    def start(version):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"status": "ok", "version": version, "contract_version": "1"}).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("version", ["0.0.9", "0.0.10"])
def test_an_older_petri_is_named(monkeypatch, answering, version):
    url = answering(version)
    monkeypatch.setenv("PETRI_URL", url)
    with pytest.raises(petri_sandbox.PetriProblem) as problem:
        petri_sandbox.start()
    assert str(problem.value) == (
        f"Petri {version} at {url} is older than this client, {VERSION}: update Petri, "
        f"or use version {version} of the client."
    )


def test_a_running_petri_is_found_by_its_folder(monkeypatch, answering, tmp_path):
    url = answering("0.10.0")
    (tmp_path / ".petri").mkdir()
    (tmp_path / "orders").mkdir()
    file = tmp_path / ".petri" / "running.json"
    file.write_text(json.dumps({"pid": 1, "url": url}))
    monkeypatch.chdir(tmp_path / "orders")
    for name in ("PETRI_URL", "PETRI_COMMAND", "PETRI_IMAGE"):
        monkeypatch.delenv(name, raising=False)
    with petri_sandbox.start() as petri:
        assert petri.url == url
    file.write_text(json.dumps({"pid": 1, "url": "http://127.0.0.1:9"}))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(petri_sandbox.PetriProblem, match="There is no Petri: set PETRI_COMMAND"):
        petri_sandbox.start()


def test_an_image_is_started_by_the_engine_there_is(monkeypatch, tmp_path):
    monkeypatch.delenv("PETRI_COMMAND", raising=False)
    monkeypatch.setenv("PETRI_IMAGE", "petri-sandbox")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(petri_sandbox.PetriProblem, match="there is neither docker nor podman"):
        petri_sandbox.start()
    engine = tmp_path / "podman"
    engine.write_text('#!/bin/sh\necho "$@"\n')
    engine.chmod(0o755)
    with pytest.raises(petri_sandbox.PetriProblem) as problem:
        petri_sandbox.start()
    arguments = "run --rm --interactive --network host petri-sandbox start --host 127.0.0.1 --port 0 --data memory --attached"
    assert str(problem.value) == f"podman {arguments} did not start: {arguments}"


AN_ADDRESS = 'should name an address such as http://127.0.0.1:4080; it names "{}".'


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("PETRI_URL", "http://127.0.0.1:9", "Nobody listens at http://127.0.0.1:9, which PETRI_URL names ("),
        ("PETRI_URL", "http://127.0.0.1:9", "Connection refused): start Petri there, or unset PETRI_URL."),
        ("PETRI_URL", "127.0.0.1:4080", "PETRI_URL " + AN_ADDRESS.format("127.0.0.1:4080")),
        ("PETRI_COMMAND", "no-such-petri", "no-such-petri start --host 127.0.0.1 --port 0 --data memory --attached cannot be run: "),
        ("PETRI_COMMAND", "bin/petri", "\nbin/petri is a relative path, and there is no such file in {}: write an absolute path"),
        ("PETRI_COMMAND", "echo dist/cli/main.js", "\ndist/cli/main.js is a relative path, and there is no such file in {}: "),
        ("PETRI_COMMAND", "node 'dist/main.js", "PETRI_COMMAND has a quote without its end: node 'dist/main.js"),
        ("PETRI_COMMAND", " \t", "There is no Petri: set PETRI_COMMAND"),
    ],
)
def test_what_cannot_be_found_is_said_in_a_sentence(monkeypatch, tmp_path, variable, value, expected):
    monkeypatch.chdir(tmp_path)
    for name in ("PETRI_URL", "PETRI_COMMAND", "PETRI_IMAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    if not value.strip():
        monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(petri_sandbox.PetriProblem) as problem:
        petri_sandbox.start()
    assert expected.replace("{}", str(tmp_path)) in str(problem.value)


def test_an_address_of_a_test_is_no_petri():
    for address, expected in [
        ("", "The test " + AN_ADDRESS.format("")),
        ("ftp://127.0.0.1", "The test " + AN_ADDRESS.format("ftp://127.0.0.1")),
        ("http://127.0.0.1:9", "): start Petri there, or give the test another address."),
    ]:
        with pytest.raises(petri_sandbox.PetriProblem, match=re.escape(expected)):
            petri_sandbox.connect(address)


def test_a_command_has_quotes_around_spaces():
    assert words("""  node "/my clone/main.js"  --x='a "b"' C:\\petri """) == [
        "node", "/my clone/main.js", '--x=a "b"', "C:\\petri"
    ]  # fmt: skip


def test_a_petri_of_the_kit_has_the_scenarios_of_the_user(monkeypatch, tmp_path):
    (tmp_path / "mine.yaml").write_text(MINE)
    monkeypatch.setenv("PETRI_SCENARIOS", str(tmp_path))
    with petri_sandbox.start("--seed", "1") as petri, petri.world() as world:
        assert world.scenarios.get("mine")["name"] == "mine"


@pytest.mark.parametrize(
    ("caller", "host"),
    [(None, "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "127.0.0.1"), ("172.17.0.1", "172.17.0.1"), ("fd00::2", "[fd00::2]")],
)
def test_receivers_are_where_petri_sees_calls_come_from(caller, host):
    assert _receiver_host(caller) == host
