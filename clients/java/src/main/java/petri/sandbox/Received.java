package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** A webhook whose signature is right. Its headers are found in capitals and in small letters. */
public record Received(String id, String eventType, JsonNode data, Map<String, List<String>> headers, byte[] body) {
    /** The data as a type, such as {@code Control.Order.class}. */
    public <T> T as(Class<T> type) {
        return Caller.JSON.convertValue(data, type);
    }
}
