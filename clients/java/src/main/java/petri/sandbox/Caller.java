package petri.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Sends calls with the same headers. */
final class Caller {
    static final ObjectMapper JSON = new ObjectMapper()
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .configure(SerializationFeature.FAIL_ON_EMPTY_BEANS, false)
            // Fields of objects that are not set are not sent; entries of maps are.
            .setDefaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS));

    /** The time-out of a call; waits have one of their own. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** A proxy of the environment would not reach this machine. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

    /** Calls that last until the world is where it should be; an interrupt of the test's thread ends them, in Petri too. */
    private static final Set<String> LONG_CALLS = Set.of("/_petri/clock/advance", "/_petri/wait");

    private final String url;
    private final Map<String, String> headers;
    /** How the Petri of this process has ended; empty if it runs. */
    private final Supplier<String> end;
    /** Orders of the test, because calls of the control API are not recorded. */
    private final List<Control.PlacedOrder> placed = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isClosed;

    Caller(String url, Map<String, String> headers, Supplier<String> end) {
        this(url, headers, end, new AtomicBoolean());
    }

    private Caller(String url, Map<String, String> headers, Supplier<String> end, AtomicBoolean isClosed) {
        this.url = url;
        this.headers = headers;
        this.end = end;
        this.isClosed = isClosed;
    }

    /** Its calls are not recorded as calls of the program. */
    Caller aside() {
        Map<String, String> more = new HashMap<>(headers);
        more.put("x-petri-aside", "1");
        return new Caller(url, more, end, isClosed);
    }

    /** Returns false if it was closed before. */
    boolean close() {
        return isClosed.compareAndSet(false, true);
    }

    List<Control.PlacedOrder> placed() {
        return List.copyOf(placed);
    }

    <T> T call(String method, String path, Object body, Class<T> result) {
        return call(method, path, body, JSON.constructType(result));
    }

    <T> T call(String method, String path, Object body, TypeReference<T> result) {
        return call(method, path, body, JSON.constructType(result.getType()));
    }

    private <T> T call(String method, String path, Object body, JavaType result) {
        HttpResponse<String> response = fetch(method, path, body);
        String text = response.body();
        if (response.statusCode() >= 300) {
            throw new PetriRefusal(method + " " + path, response.statusCode(), parsed(text));
        }
        if (text.isEmpty()) {
            return null;
        }
        try {
            if (method.equals("POST") && path.equals("/_petri/orders")) {
                placed.add(JSON.readValue(text, Control.PlacedOrder.class));
            }
            return JSON.readValue(text, result);
        } catch (JsonProcessingException problem) {
            throw new PetriException(method + " " + path + " answered what cannot be read: " + problem.getOriginalMessage(), problem);
        }
    }

    HttpResponse<String> fetch(String method, String path, Object body) {
        if (isClosed.get()) {
            throw new PetriException("This world has ended: its test is over, or has closed it.");
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        if (!LONG_CALLS.contains(path)) {
            request.timeout(TIMEOUT);
        }
        headers.forEach(request::setHeader);
        try {
            if (body == null) {
                request.method(method, HttpRequest.BodyPublishers.noBody());
            } else {
                request.setHeader("content-type", "application/json");
                request.method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
            }
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            throw new PetriException(method + " " + path + " was interrupted", problem);
        } catch (IOException problem) {
            String ended = end.get();
            String why = ended.isEmpty() ? problem.toString() : ended;
            throw new PetriException(method + " " + path + ": no answer from " + url + ": " + why, problem);
        }
    }

    /** The text of a query, with its question mark; what is null is not sent. */
    String queryText(Object query) {
        Map<String, Object> given = new LinkedHashMap<>();
        if (query != null) {
            given.putAll(JSON.convertValue(query, new TypeReference<Map<String, Object>>() {}));
        }
        String text = given.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(String.valueOf(each.getValue())))
                .collect(Collectors.joining("&"));
        return text.isEmpty() ? "" : "?" + text;
    }

    /** A copy, so that the caller's object stays as it is. */
    @SuppressWarnings("unchecked")
    static <T> T copyOf(T input) {
        if (input == null) {
            throw new PetriException("The options are null.");
        }
        return (T) JSON.convertValue(input, input.getClass());
    }

    /** A part of a path. */
    static String escaped(String text) {
        if (text == null || text.isEmpty()) {
            throw new PetriException("An id or name is " + (text == null ? "null." : "empty."));
        }
        return encoded(text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Object parsed(String text) {
        try {
            return JSON.readValue(text, Object.class);
        } catch (JsonProcessingException problem) {
            return text;
        }
    }
}
