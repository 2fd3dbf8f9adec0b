package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/** An HTTP receiver on a free port of this machine; it verifies each webhook and keeps it. */
public final class Receiver implements AutoCloseable {
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FAILED = 500;

    /** When a webhook that a handler has not answered is named, and when Petri hangs up. */
    private static final long SLOW_SECONDS = 3;

    private static final long GIVEN_UP_SECONDS = 15;

    static final String LOOPBACK = "127.0.0.1";

    private final String secret;
    private final String host;
    private final HttpServer server;
    private final List<Received> received = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final Lock handling = new ReentrantLock();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final ExecutorService workers = Executors.newCachedThreadPool(Receiver::daemon);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(Receiver::daemon);
    private ToIntFunction<Received> handler = webhook -> NO_CONTENT;
    /** What the handler has thrown first. */
    private Throwable thrown;
    /** The event that the handler is at, and since when. */
    private String unanswered;
    private long unansweredSince;

    /** Petri reaches it at the host. */
    Receiver(String secret, String host) {
        this.secret = secret;
        this.host = host;
        try {
            // From a container, Petri does not reach loopback.
            InetSocketAddress address =
                    host.equals(LOOPBACK) ? new InetSocketAddress(InetAddress.getByName(LOOPBACK), 0) : new InetSocketAddress(0);
            server = HttpServer.create(address, 0);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        server.createContext("/", this::answer);
        server.setExecutor(workers);
        server.start();
    }

    public String url() {
        return "http://" + host + ":" + server.getAddress().getPort() + "/webhooks";
    }

    /**
     * Calls the handler with one webhook at a time; it returns the status to answer with. If it throws, or does not answer within 15
     * seconds, the test fails.
     */
    public synchronized void handle(ToIntFunction<Received> handler) {
        if (handler == null) {
            throw new PetriException("A receiver needs a handler; it got null.");
        }
        this.handler = handler;
    }

    /** The webhooks in the order of their arrival, duplicates included. */
    public synchronized List<Received> received() {
        return List.copyOf(received);
    }

    /** Why others were refused. */
    public synchronized List<String> refused() {
        return List.copyOf(refused);
    }

    /** The webhooks, each once, however often it was delivered. */
    public List<Received> events() {
        Map<String, Received> once = new LinkedHashMap<>();
        received().forEach(each -> once.putIfAbsent(each.id(), each));
        return List.copyOf(once.values());
    }

    /** The webhooks of a type, each once. */
    public List<Received> events(String eventType) {
        return events().stream().filter(each -> each.eventType().equals(eventType)).toList();
    }

    /** Does not wait for the handler, but interrupts it. Throws what it has thrown, or that it has not answered, once. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        server.stop(0);
        Optional<PetriException> failed = failure();
        timer.shutdownNow();
        workers.shutdownNow();
        failed.ifPresent(failure -> {
            throw failure;
        });
    }

    /** What the handler has thrown first, or that it has not answered. */
    synchronized Optional<PetriException> failure() {
        if (thrown != null) {
            return Optional.of(new PetriException("The handler of a receiver has failed: " + thrown, thrown));
        }
        return unanswered == null
                ? Optional.empty()
                : Optional.of(new PetriException("The handler of a receiver has not answered " + unanswered + "."));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "petri-receiver");
        thread.setDaemon(true);
        return thread;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Reply reply = replyTo(exchange.getRequestHeaders(), body);
        byte[] reason = reply.reason().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), reason.length == 0 ? -1 : reason.length);
        exchange.getResponseBody().write(reason);
        exchange.close();
    }

    /** The journal has the reason, because Petri keeps what a receiver answers. */
    private record Reply(int status, String reason) {}

    private Reply replyTo(Headers headers, byte[] body) throws IOException {
        try {
            Signature.verify(secret, headers::getFirst, body);
        } catch (IllegalArgumentException problem) {
            return refuse(UNAUTHORIZED, problem.getMessage());
        }
        JsonNode event = Caller.JSON.readTree(body);
        String type = event.path("event_type").asText();
        Map<String, List<String>> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        named.putAll(headers);
        Received webhook =
                new Received(headers.getFirst("svix-id"), type, event.path("data"), Collections.unmodifiableMap(named), body);
        if (!receive(webhook)) {
            return new Reply(FAILED, "The handler has not answered before.");
        }
        handling.lock();
        ScheduledFuture<?> slow = timer.schedule(() -> nameSlow(type), SLOW_SECONDS, TimeUnit.SECONDS);
        try {
            begin(type);
            return new Reply(handler().applyAsInt(webhook), "");
        } catch (Throwable problem) {
            // Also errors of assertions. The end of the test throws it again.
            keep(problem);
            return new Reply(FAILED, problem.toString());
        } finally {
            begin(null);
            slow.cancel(false);
            handling.unlock();
        }
    }

    /** A handler that has not answered one webhook is not asked again. */
    private synchronized boolean receive(Received webhook) {
        received.add(webhook);
        return unanswered == null || System.nanoTime() - unansweredSince < TimeUnit.SECONDS.toNanos(GIVEN_UP_SECONDS);
    }

    private synchronized Reply refuse(int status, String reason) {
        refused.add(reason);
        return new Reply(status, reason);
    }

    private synchronized void begin(String type) {
        unanswered = type;
        unansweredSince = System.nanoTime();
    }

    private synchronized void keep(Throwable problem) {
        if (thrown == null) {
            thrown = problem;
        }
    }

    private synchronized ToIntFunction<Received> handler() {
        return handler;
    }

    private static void nameSlow(String type) {
        System.err.println("Petri: the handler of a receiver has not answered " + type + " for " + SLOW_SECONDS + " s.");
    }
}
