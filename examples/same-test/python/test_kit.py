import pytest


class Program:
    """The program under test: it handles each webhook once, however often it comes."""

    def __init__(self):
        self.statuses, self.alarms, self.handled = [], [], set()

    def handle(self, webhook):
        if not webhook.event_type.startswith("labtest.order.") or webhook.id in self.handled:
            return
        self.handled.add(webhook.id)
        self.statuses.append(webhook.data["last_event"]["status"])
        if webhook.data["interpretation"] == "critical":
            self.alarms.append(webhook.data["id"])


@pytest.mark.petri(now="2026-01-05T09:00:00Z")
def test_alarms_once_for_a_critical_result_after_a_problem_in_transit(petri, petri_receiver):
    program = Program()
    petri_receiver.handler = program.handle
    petri.webhooks.faults.set(duplicate=1)
    order = petri.orders.place(scenario="problem-in-transit-customer")
    petri.clock.advance("5d")
    assert program.statuses[-1] == "collecting_sample.testkit.problem_in_transit_customer"
    petri.orders.move(order["id"], "completed", results={"interpretation": "critical"}, force=True)
    petri.clock.settle()
    assert program.statuses[-1] == "completed.testkit.completed"
    assert program.alarms == [order["id"]]
    assert len(petri_receiver.received) > len(program.handled)
    assert petri_receiver.refused == []
