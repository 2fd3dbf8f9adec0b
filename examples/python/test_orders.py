"""pytest examples/python, with a Petri at PETRI_URL."""

from petri import Receiver


def test_a_kit_that_is_lost_fails(world):
    order = world.order_kit("lost-on-the-way-out")
    world.advance("60d")
    assert world.status(order) == "failed.testkit.lost"


def test_an_event_that_is_refused_comes_again(world):
    receiver = Receiver(503)
    world.call("POST", "/_petri/webhooks/endpoints", {"url": receiver.url})
    world.order_kit("happy-path")
    effects = world.advance("10s")
    deliveries = [effect["status"] for effect in effects if effect["kind"] == "delivery"]
    assert deliveries[-1] == 204, effects
    assert receiver.events.count("labtest.order.created") == 1


def test_nothing_is_sent_that_petri_does_not_read(world):
    world.order_kit("happy-path")
    for call in world.call("GET", "/_petri/requests")["data"]:
        details = world.call("GET", f"/_petri/requests/{call['id']}")
        assert details["ignored"] == [], details["path"]


def receiver_of(world):
    receiver = Receiver(secret=world.webhook_secret)
    endpoint = {"url": receiver.url, "secret": world.webhook_secret}
    world.call("POST", "/_petri/webhooks/endpoints", endpoint)
    return receiver


def test_every_event_of_an_order_is_signed(world):
    receiver = receiver_of(world)
    order = world.order_kit("happy-path")
    world.advance("60d")
    assert world.status(order) == "collecting_sample.testkit.with_customer"
    world.register(order)
    world.advance("60d")
    assert world.status(order) == "completed.testkit.completed"
    assert "labtest.order.updated" in receiver.events
    assert receiver.refused == []


def test_an_event_with_another_signature_is_refused(world):
    receiver = receiver_of(world)
    world.call("PUT", "/_petri/webhooks/faults", {"bad_signature": True})
    world.order_kit("happy-path")
    world.advance("10s")
    assert receiver.events == []
    assert receiver.refused != []
