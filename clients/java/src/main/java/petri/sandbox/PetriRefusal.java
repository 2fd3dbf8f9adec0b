package petri.sandbox;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Petri answered with an error. */
public final class PetriRefusal extends PetriException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient Object body;

    PetriRefusal(String call, int status, Object body) {
        super(call + " answered " + status + ": " + textOf(body));
        this.status = status;
        this.body = body;
    }

    public int status() {
        return status;
    }

    /** The JSON of the response: maps, lists, texts and numbers. */
    public Object body() {
        return body;
    }

    /** The explanation first, then what else Petri says. */
    private static String textOf(Object body) {
        if (!(body instanceof Map<?, ?> fields)) {
            return String.valueOf(body);
        }
        String rest = fields.entrySet().stream()
                .filter(each -> !"detail".equals(each.getKey()))
                .map(each -> "\n  " + each.getKey() + ": " + plain(each.getValue()))
                .collect(Collectors.joining());
        return plain(fields.get("detail")) + rest;
    }

    private static String plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(PetriRefusal::entry).collect(Collectors.joining("\n"));
        }
        return value instanceof String text ? text : json(value);
    }

    /** What is wrong with a field of a request. */
    private static String entry(Object value) {
        if (value instanceof Map<?, ?> fields && fields.get("loc") instanceof List<?> path && fields.get("msg") != null) {
            return path.stream().map(String::valueOf).collect(Collectors.joining(".")) + ": " + fields.get("msg");
        }
        return value instanceof String text ? text : json(value);
    }

    private static String json(Object value) {
        return Caller.JSON.valueToTree(value).toString();
    }
}
