import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import petri.sandbox.Control;
import petri.sandbox.PetriWorld;
import petri.sandbox.Received;
import petri.sandbox.Receiver;
import petri.sandbox.World;

class KitTest {
    /** The program under test: it handles each webhook once, however often it comes. */
    static class Program {
        final List<String> statuses = new ArrayList<>();
        final List<String> alarms = new ArrayList<>();
        final Set<String> handled = new HashSet<>();

        int handle(Received webhook) {
            if (!webhook.eventType().startsWith("labtest.order.") || !handled.add(webhook.id())) {
                return 204;
            }
            Control.Order order = webhook.as(Control.Order.class);
            statuses.add(order.lastEvent().status());
            if ("critical".equals(order.interpretation())) {
                alarms.add(order.id());
            }
            return 204;
        }
    }

    @Test
    @PetriWorld(now = "2026-01-05T09:00:00Z")
    void alarmsOnceForACriticalResultAfterAProblemInTransit(World petri, Receiver receiver) {
        Program program = new Program();
        receiver.handle(program::handle);
        petri.webhooks().faults().set(new Control.WebhookFaultsInput().duplicate(1));
        var order = petri.orders().place(new Control.OrderPlacing().scenario("problem-in-transit-customer"));
        petri.clock().advance("5d");
        assertEquals("collecting_sample.testkit.problem_in_transit_customer", program.statuses.get(program.statuses.size() - 1));
        Control.MoveResults critical = new Control.MoveResults().interpretation("critical");
        petri.orders().move(order.id(), new Control.Move().status("completed").results(critical).force(true));
        petri.clock().settle();
        assertEquals("completed.testkit.completed", program.statuses.get(program.statuses.size() - 1));
        assertEquals(List.of(order.id()), program.alarms);
        assertTrue(receiver.received().size() > program.handled.size());
        assertEquals(List.of(), receiver.refused());
    }
}
