package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** An HTTP receiver on a free port of this machine; it verifies each webhook and keeps it. */
public final class Receiver implements AutoCloseable {
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FAILED = 500;

    static final String LOOPBACK = "127.0.0.1";

    private final String secret;
    private final String host;
    private final HttpServer server;
    private final List<Received> received = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private ToIntFunction<Received> handler = webhook -> NO_CONTENT;

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
        server.start();
    }

    public String url() {
        return "http://" + host + ":" + server.getAddress().getPort() + "/webhooks";
    }

    /** Calls the handler with one webhook at a time; it returns the status to answer with. */
    public synchronized void handle(ToIntFunction<Received> handler) {
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

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Reply reply = replyTo(exchange, body);
        byte[] reason = reply.reason().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), reason.length == 0 ? -1 : reason.length);
        exchange.getResponseBody().write(reason);
        exchange.close();
    }

    /** The journal has the reason, because Petri keeps what a receiver answers. */
    private record Reply(int status, String reason) {}

    private synchronized Reply replyTo(HttpExchange exchange, byte[] body) throws IOException {
        try {
            Signature.verify(secret, exchange.getRequestHeaders()::getFirst, body);
        } catch (IllegalArgumentException problem) {
            refused.add(problem.getMessage());
            return new Reply(UNAUTHORIZED, problem.getMessage());
        }
        JsonNode event = Caller.JSON.readTree(body);
        Received webhook = new Received(
                exchange.getRequestHeaders().getFirst("svix-id"), event.path("event_type").asText(), event.path("data"), body);
        received.add(webhook);
        try {
            return new Reply(handler.applyAsInt(webhook), "");
        } catch (RuntimeException | AssertionError problem) {
            // The handler of the test failed; Petri shows the 500.
            refused.add(problem.toString());
            return new Reply(FAILED, problem.toString());
        }
    }
}
