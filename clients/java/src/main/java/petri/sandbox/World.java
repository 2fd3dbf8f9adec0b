package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/** A sandbox with its own data, clock, key and webhooks. Its methods throw a {@link PetriRefusal} when Petri refuses a call. */
public final class World extends Verbs implements AutoCloseable {
    /** After how many milliseconds a call is in the log of Petri, for the journal of a failed test. */
    private static final long LOG_MILLIS = 100;

    private final Petri petri;
    private final Control.WorldView view;
    private final Caller caller;
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final int strangersBefore;

    World(Petri petri, Control.WorldView view) {
        this(petri, view, new Caller(petri.url(), Map.of("x-service-api-key", view.apiKey()), petri::end));
    }

    private World(Petri petri, Control.WorldView view, Caller caller) {
        super(caller);
        this.petri = petri;
        this.view = view;
        this.caller = caller;
        this.strangersBefore = petri.strangers().size();
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
        // Not recorded as calls of the program.
        Caller aside = new Caller(petri.url(), Map.of("x-service-api-key", apiKey(), "x-petri-aside", "1"), petri::end);
        String path = "/v3/order/" + Caller.escaped(orderId);
        JsonNode order = aside.call("GET", path, null, JsonNode.class);
        String found = order.at("/last_event/status").asText(null);
        Map<String, Object> expected = new TreeMap<>();
        Map<String, Object> actual = new TreeMap<>();
        if (status != null) {
            boolean isSame = found != null && ("." + found).endsWith("." + status) || status.equals(order.path("status").asText());
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
        Stream<Entry> asked = requests().list().stream()
                .map(each -> new Entry(each.at(), each.sequence(), each.method() + " " + each.path() + ": " + each.status()));
        // Before what it caused.
        Stream<Entry> ordered = caller.placed().stream()
                .map(each -> new Entry(each.createdAt(), 0, "the test placed order " + each.id()));
        Stream<Entry> sent = Stream.concat(
                        webhooks().messages().stream(),
                        webhooks().messages(new Control.WebhookMessagesListQuery().status("no_endpoint")).stream())
                .map(each -> new Entry(each.createdAt(), each.sequence(), line(each)));
        List<String> lines = Stream.of(asked, ordered, sent)
                .flatMap(each -> each)
                .sorted(Comparator.comparing(Entry::instant).thenComparing(Entry::sequence))
                .map(entry -> entry.at() + "  " + entry.text())
                .collect(Collectors.toList());
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

    /** A line of the journal. */
    private record Entry(String at, long sequence, String text) {
        private Instant instant() {
            return OffsetDateTime.parse(at).toInstant();
        }
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
        return "webhook " + message.eventType() + ": " + message.status().replace('_', ' ') + reason(message);
    }

    /** Why the last attempt failed, with what the receiver answered. */
    private static String reason(Control.WebhookMessage message) {
        if (message.lastError() == null) {
            return "";
        }
        Control.WebhookAttempt last = message.attempts().get(message.attempts().size() - 1);
        boolean hasText = last.response() != null && !last.response().body().isEmpty();
        String advice = message.lastAdvice() == null ? "" : "\n  " + message.lastAdvice();
        return " (" + message.lastError() + (hasText ? ": " + last.response().body() : "") + ")" + advice;
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
}
