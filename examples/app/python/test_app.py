from contextlib import nullcontext

import pytest
from app import App


@pytest.fixture
def app(petri, petri_receiver):
    app = App(petri.url, petri.api_key)
    petri_receiver.handler = app.receive
    return app


@pytest.fixture
def order(petri):
    return lambda scenario=None: petri.orders.place(scenario=scenario)["id"]


@pytest.fixture
def place(petri, app):
    kit = next(each["id"] for each in petri.call("GET", "/v3/lab_tests") if each["method"] == "testkit")
    user_id, fixtures = petri.users.create()["user_id"], petri.fixtures
    return lambda test=kit, **address: app.order(user_id, test, fixtures.patient(), fixtures.address(**address))


def test_orders_a_kit_for_a_patient(petri, app, place):
    order_id = place()
    petri.clock.settle()
    petri.assert_agrees(order_id, **app.show(order_id))


def test_takes_a_scenario_from_the_zip_code(petri, app, place):
    order_id = place(zip="00112")
    petri.orders.reach(order_id, "problem_in_transit_customer")
    assert app.show(order_id)["status"] == "problem_in_transit_customer"


def test_says_why_the_service_refuses_an_order(place):
    pytest.raises(RuntimeError, place, "00000000-0000-4000-8000-000000000000").match("Test does not exist")


@pytest.mark.parametrize("status", "transit_customer out_for_delivery with_customer delivered_to_lab completed".split())
def test_shows_the_status_of_an_order(petri, app, order, status):
    order_id = order("problem-in-transit-customer")
    petri.orders.reach(order_id, status)
    petri.assert_agrees(order_id, **app.show(order_id))


def test_shows_results(petri, app, order):
    order_id = order()
    petri.orders.set_results(order_id, values={"glucose": 91})
    petri.orders.reach(order_id, "completed")
    assert app.show(order_id)["results"]["glucose"] == 91


def test_shows_partial_results(petri, app, order):
    petri.set(features={"partial_results_webhooks": True})
    petri.orders.reach(order_id := order("walk-in-partial-results"), "partial_results")
    petri.assert_agrees(order_id, **app.show(order_id))


@pytest.mark.parametrize("rule", ["duplicate", "reorder", "drop_first"])
def test_is_right_in_the_end_whatever_the_delivery(petri, app, order, rule):
    petri.webhooks.faults.set(**{rule: 2})
    order_id = order("critical-result")
    petri.clock.advance(until="idle")
    petri.assert_agrees(order_id, **app.show(order_id))
    assert app.alarms == [order_id]


@pytest.mark.parametrize("rule", ["bad_signature", "stale_timestamp"])
def test_refuses_a_webhook_that_is_not_genuine(petri, app, order, rule):
    petri.webhooks.faults.set(**{rule: True})
    order_id = order()
    petri.clock.settle()
    assert app.show(order_id) is None


def test_asks_again_when_the_service_is_unavailable(petri, app, order):
    petri.faults.set({"operation": "GET /v3/order/{order_id}/result", "times": 2, "respond": {"status": 503}})
    order_id = order()
    petri.orders.reach(order_id, "completed")
    petri.assert_agrees(order_id, **app.show(order_id))


@pytest.mark.parametrize("status, refused", [("ordered", False), ("completed", True)])
def test_cancels_an_order_unless_it_is_too_late(petri, app, order, status, refused):
    order_id = order()
    petri.orders.reach(order_id, status)
    with pytest.raises(RuntimeError, match="400") if refused else nullcontext():
        app.cancel(order_id)
    petri.clock.settle()
    assert app.show(order_id)["status"] == ("completed" if refused else "cancelled")


def test_reads_the_weight_of_a_user(petri, app):
    weight = {"resource": "body", "provider": "withings", "summary": {"calendar_date": "2026-01-04", "weight": 80}}
    petri.users.add_data(petri.users.create()["user_id"], **weight)
    petri.clock.settle()
    assert app.weights == [80]
