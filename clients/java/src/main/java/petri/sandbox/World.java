package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sandbox with its own data, clock, key and webhooks. Its methods throw a {@link PetriRefusal} when Petri refuses a call. */
public final class World implements AutoCloseable {
    /** The most rows of a page of a list. */
    private static final long MAX_ROWS = 500;

    /** After how many milliseconds a call is in the log of Petri, for the journal of a failed test. */
    private static final long LOG_MILLIS = 100;

    private final Petri petri;
    private final Control.World view;
    private final Caller caller;
    private final Control.Operations operations;
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final int strangersBefore;
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

    World(Petri petri, Control.World view) {
        this.petri = petri;
        this.view = view;
        this.caller = new Caller(petri.url(), Map.of("x-service-api-key", view.apiKey()), petri::end);
        this.strangersBefore = petri.strangers().size();
        this.operations = new Control.Operations(caller);
    }

    /** The base URL for the program under test. */
    public String url() {
        return petri.url();
    }

    /** The key for the program under test. */
    public String apiKey() {
        return view.apiKey();
    }

    public String webhookSecret() {
        return view.webhookSecret();
    }

    public String teamId() {
        return view.teamId();
    }

    /** All operations of the control API, as they are. */
    public Control.Operations operations() {
        return operations;
    }

    public Clock clock() {
        return clock;
    }

    public Users users() {
        return users;
    }

    public LabTests labTests() {
        return labTests;
    }

    public Orders orders() {
        return orders;
    }

    public Scenarios scenarios() {
        return scenarios;
    }

    public Webhooks webhooks() {
        return webhooks;
    }

    public Requests requests() {
        return requests;
    }

    public Faults faults() {
        return faults;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    public State state() {
        return state;
    }

    /** Calls the service or the control API, and returns the JSON as a type. */
    public <T> T call(String method, String path, Object body, Class<T> result) {
        return caller.call(method, path, body, result);
    }

    /** Calls the service and returns the response, whatever its status. */
    public HttpResponse<String> fetch(String method, String path, Object body) {
        return caller.fetch(method, path, body);
    }

    /**
     * Asserts that what the program under test shows of an order is what the world has. Null is not compared; the status is
     * low-level, dotted, or the first part of a dotted one; results are values by slug.
     */
    public void assertAgrees(String orderId, String status, String interpretation, Map<String, Double> results) {
        // Not recorded as calls of the program.
        Caller aside = new Caller(petri.url(), Map.of("x-service-api-key", apiKey(), "x-petri-aside", "1"), petri::end);
        String path = "/v3/order/" + Caller.escaped(orderId);
        JsonNode order = aside.call("GET", path, null, JsonNode.class);
        String found = order.at("/last_event/status").asText();
        List<String> differences = new ArrayList<>();
        if (status != null
                && !found.equals(status)
                && !found.endsWith("." + status)
                && !status.equals(order.path("status").asText())) {
            differences.add("status: " + status + "; expected " + found);
        }
        String actual = order.path("interpretation").asText(null);
        if (interpretation != null && !interpretation.equals(actual)) {
            differences.add("interpretation: " + interpretation + "; expected " + actual);
        }
        JsonNode known = results == null || results.isEmpty()
                ? order
                : aside.call("GET", path + "/result", null, JsonNode.class);
        Map<String, Double> values = new HashMap<>();
        known.path("results").forEach(each -> {
            if (each.path("value").isNumber()) {
                values.put(each.path("slug").asText(), each.path("value").asDouble());
            }
        });
        if (results != null) {
            results.forEach((slug, value) -> {
                if (!value.equals(values.get(slug))) {
                    differences.add(slug + ": " + value + "; expected " + values.get(slug));
                }
            });
        }
        if (!differences.isEmpty()) {
            throw new AssertionError("The program shows the order differently: " + String.join(", ", differences));
        }
    }

    /** Sends an event of the catalogue about an object of the world. */
    public Control.Triggered trigger(Control.Trigger event) {
        return operations.trigger(event);
    }

    /** What the clients of this world have met. */
    public Control.Coverage coverage() {
        return operations.coverage();
    }

    /** The settings and counts of the world. */
    public Control.World describe() {
        return operations.worldGet();
    }

    /** Changes the scenario and features. */
    public Control.World set(Control.WorldPatch settings) {
        return operations.worldPatch(settings);
    }

    /** Makes the world as it was at first. */
    public void reset() {
        operations.reset(new Control.Reset());
    }

    /** Makes the world as it was at first, with another seed. */
    public void reset(String seed) {
        operations.reset(new Control.Reset().seed(seed));
    }

    /** A receiver of webhooks in this process, which is closed with the world; deliver to its URL. */
    public Receiver receiver() {
        Receiver receiver = new Receiver(webhookSecret(), petri.receiverHost());
        receivers.add(receiver);
        return receiver;
    }

    /** What was asked, ordered and delivered, a line each. */
    public String journal() {
        Stream<String> asked = requests.list().stream()
                .map(each -> each.at() + "  " + each.method() + " " + each.path() + ": " + each.status());
        Stream<String> ordered = caller.placed().stream()
                .map(each -> each.createdAt() + "  the test placed order " + each.id());
        Stream<String> sent = webhooks.messages().stream().map(World::line);
        List<String> lines = Stream.of(asked, ordered, sent).flatMap(each -> each).sorted().collect(Collectors.toList());
        if (lines.isEmpty()) {
            lines.add("Nothing was asked or delivered.");
        }
        List<String> strangers = strangers();
        if (!strangers.isEmpty()) {
            lines.add("With a key of no world, in this test or one beside it:");
            lines.addAll(strangers);
        }
        return String.join("\n", lines);
    }

    private List<String> strangers() {
        try {
            Thread.sleep(LOG_MILLIS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        return petri.strangers().stream().skip(strangersBefore).toList();
    }

    private static String line(Control.WebhookMessage message) {
        return message.createdAt() + "  webhook " + message.eventType() + ": " + message.status() + reason(message);
    }

    /** Why the last attempt failed, with what the receiver answered. */
    private static String reason(Control.WebhookMessage message) {
        if (message.lastError() == null) {
            return "";
        }
        Control.WebhookAttempt last = message.attempts().get(message.attempts().size() - 1);
        boolean hasText = last.response() != null && !last.response().body().isEmpty();
        return " (" + message.lastError() + (hasText ? ": " + last.response().body() : "") + ")";
    }

    /** Deletes the world. Throws what its receivers' handlers have thrown, with the journal. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        // Also after a test that was interrupted.
        boolean wasInterrupted = Thread.interrupted();
        try {
            closeReceivers();
        } finally {
            caller.close();
            petri.drop(teamId());
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Throws what a handler has thrown first, with the journal. */
    void closeReceivers() {
        PetriException failure = null;
        for (Receiver receiver : receivers) {
            try {
                receiver.close();
            } catch (PetriException problem) {
                failure = problem;
            }
        }
        receivers.clear();
        if (failure != null) {
            explain(failure);
            throw failure;
        }
    }

    /** Adds the journal to what a test has failed with, once. */
    void explain(Throwable failure) {
        boolean isExplained = Stream.of(failure.getSuppressed()).anyMatch(Journal.class::isInstance);
        if (isExplained || failure instanceof Journal) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted();
        try {
            failure.addSuppressed(new Journal(url() + ", key " + apiKey() + "\n" + journal()));
        } catch (PetriException problem) {
            failure.addSuppressed(problem);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was asked and delivered, where the report of a test shows it: as a suppressed exception without a stack. */
    static final class Journal extends Exception {
        private static final long serialVersionUID = 1;

        private Journal(String text) {
            super("Petri: what was asked and delivered\n" + text, null, false, false);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    /** The time of a world. */
    public final class Clock {
        private Clock() {}

        /** Where the clock stands, and what is due. */
        public Control.Clock get() {
            return operations.clockGet();
        }

        /** The instant of the clock. */
        public Instant now() {
            return Instant.parse(get().now());
        }

        /** Moves the clock, for example by "3d". All that is due on the way happens. */
        public Control.Advanced advance(String by) {
            return operations.clockAdvance(new Control.Advance().by(by));
        }

        /** Moves the clock to an instant. */
        public Control.Advanced advanceTo(String instant) {
            return operations.clockAdvance(new Control.Advance().to(instant));
        }

        /** Moves the clock until "idle", when nothing is left to do, or until the "next" job is done. */
        public Control.Advanced advanceUntil(String until) {
            return operations.clockAdvance(new Control.Advance().until(until));
        }

        /** Lets happen what is due now. */
        public Control.Advanced settle() {
            return advance("0s");
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

        /** Creates a user with generated fields. */
        public Control.User create() {
            return createWith(new Control.UserCreation());
        }

        /** Creates a user. */
        public Control.User create(String clientUserId) {
            return createWith(new Control.UserCreation().clientUserId(clientUserId));
        }

        /** Creates a user with an id, a persona or other fields of your choice. */
        public Control.User createWith(Control.UserCreation user) {
            return operations.usersCreate(user);
        }

        /** A user, as the service returns it. */
        public Control.User get(String userId) {
            return call("GET", "/v2/user/" + Caller.escaped(userId), null, Control.User.class);
        }

        /** Sets the scenario of the user's orders. */
        public Control.UserScenario setScenario(String userId, String scenario) {
            return operations.usersScenarioPut(userId, new Control.UserScenarioInput().scenario(scenario));
        }

        /** Assigns a feed scenario to the connection of a user to a provider. */
        public Control.ConnectionFeedView setFeed(String userId, String provider, String scenario) {
            return operations.connectionsFeedPut(
                    userId, provider, new Control.ConnectionFeedInput().scenario(scenario));
        }

        /** Adds samples or a summary of a wearable, with their events. */
        public Control.UserDataKept addData(String userId, Control.UserData data) {
            return operations.userDataPut(userId, data);
        }
    }

    /** The lab tests of a world. */
    public final class LabTests {
        private LabTests() {}

        /** Creates a lab test from markers. */
        public Control.LabTest create(Control.LabTestCreation labTest) {
            return operations.labTestsCreate(labTest);
        }
    }

    /** The orders of a world. */
    public final class Orders {
        private Orders() {}

        /** Orders the test kit of the team, for a new user. */
        public Control.PlacedOrder place() {
            return place(new Control.OrderPlacing());
        }

        /** Orders the test kit of the team, for a new user, with a scenario. */
        public Control.PlacedOrder place(String scenario) {
            return place(new Control.OrderPlacing().scenario(scenario));
        }

        /** Orders the test kit of the team, for a new user unless one is given. */
        public Control.PlacedOrder place(Control.OrderPlacing order) {
            return operations.ordersPlace(order);
        }

        /** An order, as the service returns it. */
        public Control.Order get(String orderId) {
            return call("GET", "/v3/order/" + Caller.escaped(orderId), null, Control.Order.class);
        }

        /** The orders with a status, method or text. */
        public Control.Board list(Control.OrdersListQuery query) {
            return operations.ordersList(query);
        }

        /** All that is known of an order, and how it continues. */
        public Control.OrderLife life(String orderId) {
            return operations.ordersGet(orderId);
        }

        /** Moves an order to a status, such as "lost". */
        public Control.Order move(String orderId, String status) {
            return moveWith(orderId, new Control.Move().status(status));
        }

        /** Moves an order with results, a shipment or force. */
        public Control.Order moveWith(String orderId, Control.Move move) {
            return operations.ordersMove(orderId, move);
        }

        /** Sets exact results. */
        public Control.ResultsPut setResults(String orderId, Control.ExactResults results) {
            return operations.ordersResultsPut(orderId, results);
        }

        /** The scenario of an order, and what is left of it. */
        public Control.OrderScenario scenario(String orderId) {
            return operations.ordersScenarioGet(orderId);
        }

        /** Puts an order into a scenario. */
        public Control.OrderScenario setScenario(String orderId, String scenario) {
            return operations.ordersScenarioPut(orderId, new Control.OrderScenarioInput().scenario(scenario));
        }

        /** Advances the clock until an order has reached a status. Throws if nothing that is pending reaches it. */
        public Control.Order reach(String orderId, String status) {
            operations.clockAdvance(new Control.Advance().orderId(orderId).status(status));
            return get(orderId);
        }

        /** Waits up to ten seconds until an order has a status, for worlds with a live clock. */
        public Control.Order waitFor(String orderId, String status) {
            return operations.wait(new Control.Wait().orderId(orderId).status(status)).order();
        }
    }

    /** Those of orders and of feeds, and personas. */
    public final class Scenarios {
        private Scenarios() {}

        /** Lists those of all kinds. */
        public List<Control.ScenarioSummary> list() {
            return operations.scenariosList(null).data();
        }

        /** Lists those of a kind, such as "feed". */
        public List<Control.ScenarioSummary> list(String kind) {
            return operations.scenariosList(new Control.ScenariosListQuery().kind(kind)).data();
        }

        /** One with its source. */
        public Control.ScenarioView get(String name) {
            return operations.scenariosGet(name);
        }

        /** Adds one to this world. */
        public Control.ScenarioView add(String name, String yaml) {
            return operations.scenariosPut(name, Map.of("source", yaml), null);
        }

        /** Removes one of this world. */
        public void remove(String name) {
            operations.scenariosDelete(name);
        }
    }

    /** The endpoints of a world, and what is delivered to them. */
    public final class Webhooks {
        private Webhooks() {}
        private final Endpoints endpoints = new Endpoints();
        private final WebhookFaults faults = new WebhookFaults();

        /** Where webhooks are delivered to. */
        public Endpoints endpoints() {
            return endpoints;
        }

        /** Deliver webhooks twice, late, out of order or with a wrong signature. */
        public WebhookFaults faults() {
            return faults;
        }

        /** Delivers webhooks to a URL. */
        public Control.AddedWebhookEndpoint deliverTo(String url) {
            return operations.webhookEndpointsCreate(new Control.NewWebhookEndpoint().url(url));
        }

        /** The first 500 messages with their attempts. */
        public List<Control.WebhookMessage> messages() {
            return messages(new Control.WebhookMessagesListQuery().limit(MAX_ROWS));
        }

        /** The messages that a query finds, with their attempts. */
        public List<Control.WebhookMessage> messages(Control.WebhookMessagesListQuery query) {
            return operations.webhookMessagesList(query).data();
        }

        /** A message with its attempts. */
        public Control.WebhookMessage message(String messageId) {
            return operations.webhookMessagesGet(messageId);
        }

        /** Waits up to ten seconds until messages were delivered, for worlds with a live clock. */
        public List<Control.WebhookMessage> waitFor(Control.WaitMessage message) {
            return operations.wait(new Control.Wait().message(message)).messages();
        }

        /** Sends again now what was given up or waits for its next attempt, or one message, and returns how many. */
        public long resend(Control.WebhookResend which) {
            return operations.webhookResend(which).resent();
        }
    }

    /** Deliver webhooks twice, late, out of order or with a wrong signature. */
    public final class WebhookFaults {
        private WebhookFaults() {}

        /** Those of the world and of its endpoints. */
        public Control.WebhookFaults get() {
            return operations.webhookFaultsGet(null);
        }

        /** Replaces all webhook faults of the world, or of one endpoint. */
        public Control.WebhookFaults set(Control.WebhookFaultsInput rules) {
            return operations.webhookFaultsPut(rules);
        }

        /** Removes all of them. */
        public void clear() {
            operations.webhookFaultsDelete(null);
        }
    }

    /** Where webhooks are delivered to. */
    public final class Endpoints {
        private Endpoints() {}

        /** Lists them. */
        public List<Control.WebhookEndpoint> list() {
            return operations.webhookEndpointsList().data();
        }

        /** Changes one. */
        public Control.WebhookEndpoint change(String endpointId, Control.WebhookEndpointPatch change) {
            return operations.webhookEndpointsPatch(endpointId, change);
        }

        /** Removes one. */
        public void remove(String endpointId) {
            operations.webhookEndpointsDelete(endpointId);
        }

        /** Gives one a new secret; the old one also signs for a day. */
        public Control.RotatedWebhookEndpoint rotateSecret(String endpointId) {
            return operations.webhookEndpointsRotateSecret(endpointId, null);
        }
    }

    /** The calls of the program under test. */
    public final class Requests {
        private Requests() {}

        /** The first 500 calls. */
        public List<Control.RequestSummary> list() {
            return list(new Control.RequestsListQuery().limit(MAX_ROWS));
        }

        /** The calls that a query finds. */
        public List<Control.RequestSummary> list(Control.RequestsListQuery query) {
            return operations.requestsList(query).data();
        }

        /** A call with what it caused. */
        public Control.Request get(String requestId) {
            return operations.requestsGet(requestId);
        }

        /** Waits up to ten seconds for a call. */
        public List<Control.RequestSummary> waitFor(Control.WaitRequest request) {
            return operations.wait(new Control.Wait().request(request)).requests();
        }

        /** Forgets them. */
        public void clear() {
            operations.requestsDelete();
        }
    }

    /** Calls that fail. */
    public final class Faults {
        private Faults() {}

        /** Lists them. */
        public List<Control.Fault> list() {
            return operations.faultsGet().faults();
        }

        /** Replaces them. */
        public List<Control.Fault> set(Control.FaultsInputFaultsItem... faults) {
            return operations.faultsPut(new Control.FaultsInput().faults(List.of(faults))).faults();
        }

        /** Removes them. */
        public void clear() {
            operations.faultsDelete();
        }
    }

    /** States of a world with a name. */
    public final class Snapshots {
        private Snapshots() {}

        /** Lists them. */
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
            return call("GET", "/_petri/state", null, JsonNode.class);
        }

        /** Replaces the state of the world. */
        public void import_(JsonNode state) {
            call("PUT", "/_petri/state", state, Object.class);
        }
    }
}
