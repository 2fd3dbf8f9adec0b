// Written by "npm run generate"; do not edit.
package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The methods of a world. */
abstract class Verbs {
    /** The most rows of a page of a list. */
    private static final long MAX_ROWS = 500;

    private final Caller caller;
    private final Control.Operations operations;
    private final Clock clock = new Clock();
    private final Users users = new Users();
    private final LabTests labTests = new LabTests();
    private final Orders orders = new Orders();
    private final Scenarios scenarios = new Scenarios();
    private final Webhooks webhooks = new Webhooks();
    private final Requests requests = new Requests();
    private final Faults faults = new Faults();
    private final Snapshots snapshots = new Snapshots();
    private final State state = new State();

    Verbs(Caller caller) {
        this.caller = caller;
        this.operations = new Control.Operations(caller);
    }

    /** All operations of the control API, as they are. */
    public Control.Operations operations() {
        return operations;
    }

    /** The time of a world. */
    public Clock clock() {
        return clock;
    }

    /** The users of a world. */
    public Users users() {
        return users;
    }

    /** The lab tests of a world. */
    public LabTests labTests() {
        return labTests;
    }

    /** The orders of a world. */
    public Orders orders() {
        return orders;
    }

    /** Scenarios of orders and of feeds, and personas. */
    public Scenarios scenarios() {
        return scenarios;
    }

    /** The webhooks of a world. */
    public Webhooks webhooks() {
        return webhooks;
    }

    /** The calls of the program under test. */
    public Requests requests() {
        return requests;
    }

    /** Calls that fail. */
    public Faults faults() {
        return faults;
    }

    /** States of a world with a name. */
    public Snapshots snapshots() {
        return snapshots;
    }

    /** The whole state of a world. */
    public State state() {
        return state;
    }

    /** Sends an event of the catalogue about an object of the world. */
    public Control.Triggered trigger(Control.Trigger options) {
        return operations.trigger(options);
    }

    /** Returns what the clients of this world have met. */
    public Control.Coverage coverage() {
        return operations.coverage();
    }

    /** Returns the pending jobs, the earliest first; those of one order, message or user if named. */
    public Control.Agenda agenda() {
        return operations.agenda(null);
    }

    /** Returns the pending jobs, the earliest first; those of one order, message or user if named. */
    public Control.Agenda agenda(Control.AgendaQuery options) {
        return operations.agenda(options);
    }

    /** Returns the statuses of an order by workflow, and where each leads. */
    public Control.Lifecycle lifecycle() {
        return operations.lifecycle();
    }

    /** Returns the settings and counts of the world. */
    public Control.WorldView describe() {
        return operations.worldGet();
    }

    /** Changes the scenario and features. */
    public Control.WorldView set() {
        return operations.worldPatch(new Control.WorldPatch());
    }

    /** Changes the scenario and features. */
    public Control.WorldView set(Control.WorldPatch options) {
        return operations.worldPatch(options);
    }

    /** Makes the world as it was at first, or with another seed. */
    public void reset() {
        operations.reset(new Control.Reset());
    }

    /** Makes the world as it was at first, or with another seed. */
    public void reset(Control.Reset options) {
        operations.reset(options);
    }

    /** The time of a world. */
    public final class Clock {
        private Clock() {}

        /** Returns where the clock stands, and what is due. */
        public Control.Clock get() {
            return operations.clockGet();
        }

        /** Moves the clock, for example by "3d". All that is due on the way happens. */
        public Control.Advanced advance(String by) {
            return operations.clockAdvance(new Control.Advance().by(by));
        }

        /** Moves the clock, for example by "3d". All that is due on the way happens. */
        public Control.Advanced advance(Duration by) {
            return advance(by.toMillis() + "ms");
        }

        /** Moves the clock to an instant. */
        public Control.Advanced advanceTo(String to) {
            return operations.clockAdvance(new Control.Advance().to(to));
        }

        /** Moves the clock to an instant. */
        public Control.Advanced advanceTo(Instant to) {
            return advanceTo(to.toString());
        }

        /** Moves the clock until "idle", when nothing is left to do, or until the "next" job is done. */
        public Control.Advanced advanceUntil(String until) {
            return operations.clockAdvance(new Control.Advance().until(until));
        }

        /** Returns the instant of the clock. */
        public Instant now() {
            return Instant.parse(operations.clockGet().now());
        }

        /** Lets happen what is due now. */
        public Control.Advanced settle() {
            return operations.clockAdvance(new Control.Advance().by("0s"));
        }

        /** Stops the clock. */
        public Control.Clock freeze() {
            return operations.clockPatch(new Control.ClockPatch().frozen(true));
        }

        /** Lets the clock run. */
        public Control.Clock run() {
            return operations.clockPatch(new Control.ClockPatch().frozen(false));
        }

        /** Sets how fast scenarios run in a live world. */
        public Control.Clock setPace(double pace) {
            return operations.clockPatch(new Control.ClockPatch().pace(pace));
        }
    }

    /** The users of a world. */
    public final class Users {
        private Users() {}

        /** Creates a user; fields that are left out are generated. */
        public Control.User create() {
            return operations.usersCreate(new Control.UserCreation());
        }

        /** Creates a user; fields that are left out are generated. */
        public Control.User create(String clientUserId) {
            return operations.usersCreate(new Control.UserCreation().clientUserId(clientUserId));
        }

        /** Creates a user; fields that are left out are generated. */
        public Control.User create(Control.UserCreation options) {
            return operations.usersCreate(options);
        }

        /** Returns a user, as the service does. */
        public Control.User get(String userId) {
            return caller.call("GET", "/v2/user/" + Caller.escaped(userId), null, Control.User.class);
        }

        /** Sets the scenario of the user's orders. */
        public Control.UserScenario setScenario(String userId, String scenario) {
            return operations.usersScenarioPut(userId, new Control.UserScenarioInput().scenario(scenario));
        }

        /** Assigns a feed scenario to the connection of a user to a provider. */
        public Control.ConnectionFeedView setFeed(String userId, String provider, String scenario) {
            return operations.connectionsFeedPut(userId, provider, new Control.ConnectionFeedInput().scenario(scenario));
        }

        /** Adds samples or a summary of a wearable, with their events. */
        public Control.UserDataKept addData(String userId, Control.UserData options) {
            return operations.userDataPut(userId, options);
        }
    }

    /** The lab tests of a world. */
    public final class LabTests {
        private LabTests() {}

        /** Creates a lab test from markers. */
        public Control.LabTest create(Control.LabTestCreation options) {
            return operations.labTestsCreate(options);
        }
    }

    /** The orders of a world. */
    public final class Orders {
        private Orders() {}

        /** Places an order; what is left out is generated. */
        public Control.PlacedOrder place() {
            return operations.ordersPlace(new Control.OrderPlacing());
        }

        /** Places an order; what is left out is generated. */
        public Control.PlacedOrder place(Control.OrderPlacing options) {
            return operations.ordersPlace(options);
        }

        /** Returns an order, as the service does. */
        public Control.Order get(String orderId) {
            return caller.call("GET", "/v3/order/" + Caller.escaped(orderId), null, Control.Order.class);
        }

        /** Returns orders by status, method or text. */
        public Control.Board list() {
            return operations.ordersList(null);
        }

        /** Returns orders by status, method or text. */
        public Control.Board list(Control.OrdersListQuery options) {
            return operations.ordersList(options);
        }

        /** Returns all that is known of an order, and how it continues. */
        public Control.OrderLife life(String orderId) {
            return operations.ordersGet(orderId);
        }

        /** Moves an order to a status, such as "lost". */
        public Control.Order move(String orderId, String status) {
            return operations.ordersMove(orderId, new Control.Move().status(status));
        }

        /** Moves an order to a status, such as "lost". */
        public Control.Order move(String orderId, Control.Move options) {
            return operations.ordersMove(orderId, options);
        }

        /** Sets exact results. */
        public Control.ResultsPut setResults(String orderId) {
            return operations.ordersResultsPut(orderId, new Control.ExactResults());
        }

        /** Sets exact results. */
        public Control.ResultsPut setResults(String orderId, Control.ExactResults options) {
            return operations.ordersResultsPut(orderId, options);
        }

        /** Returns the scenario of an order, and what is left of it. */
        public Control.OrderScenario scenario(String orderId) {
            return operations.ordersScenarioGet(orderId);
        }

        /** Puts an order into a scenario. */
        public Control.OrderScenario setScenario(String orderId, String scenario) {
            return operations.ordersScenarioPut(orderId, new Control.OrderScenarioInput().scenario(scenario));
        }

        /** Puts an order into a scenario. */
        public Control.OrderScenario setScenario(String orderId, Control.OrderScenarioInput options) {
            return operations.ordersScenarioPut(orderId, options);
        }

        /** Advances the clock until an order has reached a status; refused if nothing that is pending reaches it. */
        public Control.Order reach(String orderId, String status) {
            operations.clockAdvance(new Control.Advance().orderId(orderId).status(status));
            return get(orderId);
        }

        /** Waits until an order has a status; refused at once in a frozen world unless there is a timeout. */
        public Control.Order waitFor() {
            return operations.wait(new Control.Wait()).order();
        }

        /** Waits until an order has a status; refused at once in a frozen world unless there is a timeout. */
        public Control.Order waitFor(String orderId, String status) {
            return operations.wait(new Control.Wait().orderId(orderId).status(status)).order();
        }

        /** Waits until an order has a status; refused at once in a frozen world unless there is a timeout. */
        public Control.Order waitFor(Control.Wait options) {
            return operations.wait(options).order();
        }
    }

    /** Scenarios of orders and of feeds, and personas. */
    public final class Scenarios {
        private Scenarios() {}

        /** Returns those of a kind, or all. */
        public List<Control.ScenarioSummary> list() {
            return operations.scenariosList(null).data();
        }

        /** Returns those of a kind, or all. */
        public List<Control.ScenarioSummary> list(String kind) {
            return operations.scenariosList(new Control.ScenariosListQuery().kind(kind)).data();
        }

        /** Returns one with its source. */
        public Control.ScenarioView get(String name) {
            return operations.scenariosGet(name);
        }

        /** Adds one to this world, as YAML. */
        public Control.ScenarioView add(String name, String source) {
            return operations.scenariosPut(name, Map.of("source", source), null);
        }

        /** Removes one of this world. */
        public void remove(String name) {
            operations.scenariosDelete(name);
        }
    }

    /** The webhooks of a world. */
    public final class Webhooks {
        private final Endpoints endpoints = new Endpoints();
        private final WebhookFaults faults = new WebhookFaults();

        /** The endpoints that webhooks are delivered to. */
        public Endpoints endpoints() {
            return endpoints;
        }

        /** Webhooks that come twice, late, out of order or with a wrong signature. */
        public WebhookFaults faults() {
            return faults;
        }

        private Webhooks() {}

        /** Delivers webhooks to a URL. */
        public Control.AddedWebhookEndpoint deliverTo(String url) {
            return operations.webhookEndpointsCreate(new Control.NewWebhookEndpoint().url(url));
        }

        /** Delivers webhooks to a URL. */
        public Control.AddedWebhookEndpoint deliverTo(Control.NewWebhookEndpoint options) {
            return operations.webhookEndpointsCreate(options);
        }

        /** Returns all messages with their attempts. */
        public List<Control.WebhookMessage> messages() {
            return messages(new Control.WebhookMessagesListQuery());
        }

        /** Returns all messages with their attempts. */
        public List<Control.WebhookMessage> messages(Control.WebhookMessagesListQuery options) {
            if (options.limit() != null) {
                return operations.webhookMessagesList(options).data();
            }
            List<Control.WebhookMessage> rows = new ArrayList<>();
            var query = Caller.copyOf(options).limit(MAX_ROWS);
            while (true) {
                var page = operations.webhookMessagesList(query);
                rows.addAll(page.data());
                if (page.nextCursor() == null) {
                    return rows;
                }
                query.cursor(page.nextCursor());
            }
        }

        /** Returns a message with its attempts. */
        public Control.WebhookMessage message(String messageId) {
            return operations.webhookMessagesGet(messageId);
        }

        /** Waits until messages were delivered. */
        public List<Control.WebhookMessage> waitFor(Control.WaitMessage message) {
            return operations.wait(new Control.Wait().message(message)).messages();
        }

        /** Waits until messages were delivered. */
        public List<Control.WebhookMessage> waitFor(Control.Wait options) {
            return operations.wait(options).messages();
        }

        /** Sends again now what was given up or waits for its next attempt, or one message. Returns how many. */
        public long resend() {
            return operations.webhookResend(new Control.WebhookResend()).resent();
        }

        /** Sends again now what was given up or waits for its next attempt, or one message. Returns how many. */
        public long resend(Control.WebhookResend options) {
            return operations.webhookResend(options).resent();
        }
    }

    /** The endpoints that webhooks are delivered to. */
    public final class Endpoints {
        private Endpoints() {}

        /** Returns all. */
        public List<Control.WebhookEndpoint> list() {
            return operations.webhookEndpointsList().data();
        }

        /** Changes one. */
        public Control.WebhookEndpoint change(String endpointId) {
            return operations.webhookEndpointsPatch(endpointId, new Control.WebhookEndpointPatch());
        }

        /** Changes one. */
        public Control.WebhookEndpoint change(String endpointId, Control.WebhookEndpointPatch options) {
            return operations.webhookEndpointsPatch(endpointId, options);
        }

        /** Removes one. */
        public void remove(String endpointId) {
            operations.webhookEndpointsDelete(endpointId);
        }

        /** Gives one a new secret; the old one also signs for a day. */
        public Control.RotatedWebhookEndpoint rotateSecret(String endpointId) {
            return operations.webhookEndpointsRotateSecret(endpointId, new Control.RotateWebhookSecret());
        }

        /** Gives one a new secret; the old one also signs for a day. */
        public Control.RotatedWebhookEndpoint rotateSecret(String endpointId, Control.RotateWebhookSecret options) {
            return operations.webhookEndpointsRotateSecret(endpointId, options);
        }
    }

    /** Webhooks that come twice, late, out of order or with a wrong signature. */
    public final class WebhookFaults {
        private WebhookFaults() {}

        /** Returns those of the world and of its endpoints. */
        public Control.WebhookFaults get() {
            return operations.webhookFaultsGet(null);
        }

        /** Replaces all of the world, or of one endpoint. */
        public Control.WebhookFaults set() {
            return operations.webhookFaultsPut(new Control.WebhookFaultsInput());
        }

        /** Replaces all of the world, or of one endpoint. */
        public Control.WebhookFaults set(Control.WebhookFaultsInput options) {
            return operations.webhookFaultsPut(options);
        }

        /** Removes all. */
        public void clear() {
            operations.webhookFaultsDelete(null);
        }
    }

    /** The calls of the program under test. */
    public final class Requests {
        private Requests() {}

        /** Returns all calls. */
        public List<Control.RequestSummary> list() {
            return list(new Control.RequestsListQuery());
        }

        /** Returns all calls. */
        public List<Control.RequestSummary> list(Control.RequestsListQuery options) {
            if (options.limit() != null) {
                return operations.requestsList(options).data();
            }
            List<Control.RequestSummary> rows = new ArrayList<>();
            var query = Caller.copyOf(options).limit(MAX_ROWS);
            while (true) {
                var page = operations.requestsList(query);
                rows.addAll(page.data());
                if (page.nextCursor() == null) {
                    return rows;
                }
                query.cursor(page.nextCursor());
            }
        }

        /** Returns a call with what it caused. */
        public Control.Request get(String requestId) {
            return operations.requestsGet(requestId);
        }

        /** Waits for calls. */
        public List<Control.RequestSummary> waitFor(Control.WaitRequest request) {
            return operations.wait(new Control.Wait().request(request)).requests();
        }

        /** Waits for calls. */
        public List<Control.RequestSummary> waitFor(Control.Wait options) {
            return operations.wait(options).requests();
        }

        /** Forgets them. */
        public void clear() {
            operations.requestsDelete();
        }
    }

    /** Calls that fail. */
    public final class Faults {
        private Faults() {}

        /** Returns all. */
        public List<Control.Fault> list() {
            return operations.faultsGet().faults();
        }

        /** Replaces all. */
        public List<Control.Fault> set(Control.FaultInput... faults) {
            return operations.faultsPut(new Control.FaultsInput().faults(List.of(faults))).faults();
        }

        /** Removes all. */
        public void clear() {
            operations.faultsDelete();
        }
    }

    /** States of a world with a name. */
    public final class Snapshots {
        private Snapshots() {}

        /** Returns all. */
        public List<Control.Snapshot> list() {
            return operations.snapshotsList().data();
        }

        /** Saves the state of the world. */
        public void save(String name) {
            operations.snapshotsPut(name);
        }

        /** Makes the world as it was. */
        public void restore(String name) {
            operations.snapshotsRestore(name);
        }

        /** Deletes one. */
        public void remove(String name) {
            operations.snapshotsDelete(name);
        }
    }

    /** The whole state of a world. */
    public final class State {
        private State() {}

        /** Returns the state. */
        public JsonNode export() {
            return caller.call("GET", "/_petri/state", null, JsonNode.class);
        }

        /** Replaces the state of the world. */
        public void import_(JsonNode state) {
            caller.call("PUT", "/_petri/state", state, Object.class);
        }
    }
}
