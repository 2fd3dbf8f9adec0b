package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/** A sandbox with its own data, clock, key and webhooks. Its methods throw a {@link PetriRefusal} when Petri refuses a call. */
public final class World extends Verbs implements AutoCloseable {
    private final Petri petri;
    private final Control.WorldView view;
    private final Caller caller;
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    /** Calls before this millisecond are not those of the test. */
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    World(Petri petri, Control.WorldView view, Caller caller) {
        super(caller);
        this.petri = petri;
        this.view = view;
        this.caller = caller;
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
        Caller aside = caller.aside();
        String path = "/v3/order/" + Caller.escaped(orderId);
        JsonNode order = aside.call("GET", path, null, JsonNode.class);
        String found = order.at("/last_event/status").asText(null);
        Map<String, Object> expected = new TreeMap<>();
        Map<String, Object> actual = new TreeMap<>();
        if (status != null) {
            boolean isSame = found != null && ("." + found).endsWith("." + status) || status.equals(order.path("status").asText());
            if (!isSame) {
                // Refused if it is none.
                orders().list(new Control.OrdersListQuery().status(status).limit(1));
            }
            actual.put("status", status);
            expected.put("status", isSame ? status : found);
        }
        if (interpretation != null) {
            actual.put("interpretation", interpretation);
            expected.put("interpretation", order.path("interpretation").asText(null));
        }
        if (results != null && !results.isEmpty()) {
            Map<String, Double> values = new HashMap<>();
            aside.call("GET", path + "/result", null, JsonNode.class).path("results").forEach(each -> {
                if (each.path("value").isNumber()) {
                    values.put(each.path("slug").asText(), each.path("value").asDouble());
                }
            });
            actual.putAll(results);
            results.keySet().forEach(slug -> expected.put(slug, values.get(slug)));
        }
        if (!expected.equals(actual)) {
            throw new AssertionFailedError("The program shows the order differently", expected, actual);
        }
    }

    /** A receiver of webhooks in this process, which is closed with the world; deliver to its URL. */
    public Receiver receiver() {
        Receiver receiver = new Receiver(webhookSecret(), petri.receiverHost());
        receivers.add(receiver);
        return receiver;
    }

    /** What was asked, ordered and delivered, a line each, in the order in which it happened. */
    public String journal() {
        List<Control.WebhookMessage> messages = new ArrayList<>(webhooks().messages());
        messages.addAll(webhooks().messages(new Control.WebhookMessagesListQuery().status("no_endpoint")));
        Stream<Entry> ordered = caller.placed().stream().map(each -> entryOf(each, messages));
        Stream<Entry> asked = requests().list().stream()
                .map(each -> new Entry(each.at(), each.sequence(), each.method() + " " + each.path() + ": " + each.status()));
        Stream<Entry> sent = messages.stream().map(each -> new Entry(each.createdAt(), each.sequence(), line(each)));
        List<String> lines = Stream.of(ordered, asked, sent)
                .flatMap(each -> each)
                .sorted(Comparator.comparing(Entry::instant).thenComparing(Entry::sequence))
                .map(entry -> entry.at() + "  " + entry.text())
                .collect(Collectors.toCollection(ArrayList::new));
        if (lines.isEmpty()) {
            lines.add("Nothing was asked or delivered.");
        }
        List<String> strangers = operations().requestsRefused().data().stream()
                .filter(each -> !instantOf(each.at()).isBefore(start))
                .map(each -> each.at() + "  " + each.method() + " " + each.path() + ": " + each.status() + " (" + each.detail() + ")")
                .toList();
        if (!strangers.isEmpty()) {
            lines.add("With a key of no world, in this test or one next to it:");
            lines.addAll(strangers);
        }
        return String.join("\n", lines);
    }

    /** A line of the journal. */
    private record Entry(String at, long sequence, String text) {
        private Instant instant() {
            return instantOf(at);
        }
    }

    private static Instant instantOf(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    /** An order of the test, directly before the first webhook that it has caused. */
    private static Entry entryOf(Control.PlacedOrder order, List<Control.WebhookMessage> messages) {
        String text = "the test placed order " + order.id();
        return messages.stream()
                .filter(each -> order.id().equals(each.orderId()))
                .min(Comparator.comparing(Control.WebhookMessage::sequence))
                .map(first -> new Entry(first.createdAt(), first.sequence(), text))
                .orElseGet(() -> new Entry(order.createdAt(), 0, text));
    }

    private static String line(Control.WebhookMessage message) {
        return "webhook " + message.eventType() + ": " + message.status().replace('_', ' ') + reason(message);
    }

    /** Why the last attempt failed, with what the receiver answered. */
    private static String reason(Control.WebhookMessage message) {
        if (message.lastError() == null) {
            return "";
        }
        String text = message.attempts().stream()
                .reduce((before, last) -> last)
                .map(Control.WebhookAttempt::response)
                .map(response -> response.body())
                .filter(body -> !body.isEmpty())
                .map(body -> ": " + body)
                .orElse("");
        String advice = message.lastAdvice() == null ? "" : "\n  " + message.lastAdvice();
        return " (" + message.lastError() + text + ")" + advice;
    }

    /** Deletes the world. Throws what its receivers' handlers have thrown, and prints the journal then. */
    @Override
    public void close() {
        // Also after a test that was interrupted.
        boolean wasInterrupted = Thread.interrupted();
        if (hasFailedHandler()) {
            printJournal("the world " + teamId());
        }
        try {
            closeReceivers();
        } finally {
            if (caller.close()) {
                petri.drop(teamId());
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean hasFailedHandler() {
        return receivers.stream().anyMatch(each -> each.failure().isPresent());
    }

    /** Throws what a handler has thrown first. */
    void closeReceivers() {
        PetriException failure = null;
        for (Receiver receiver : receivers) {
            try {
                receiver.close();
            } catch (PetriException problem) {
                failure = failure == null ? problem : failure;
            }
        }
        receivers.clear();
        if (failure != null) {
            throw failure;
        }
    }

    /** Prints what a failed test has asked for on standard error, which each runner shows or has in its report. */
    void printJournal(String subject) {
        boolean wasInterrupted = Thread.interrupted();
        String text;
        try {
            text = journal();
        } catch (PetriException problem) {
            text = problem.getMessage();
        }
        System.err.println("Petri: what was asked and delivered in " + subject + " at " + url() + ", key " + apiKey() + "\n" + text);
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
