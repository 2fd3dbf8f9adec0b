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
                .map(each -> "\n  " + each.getKey() + ":" + other(each.getValue()))
                .collect(Collectors.joining());
        String detail = fields.get("detail") instanceof List<?> issues
                ? issues.stream().map(PetriRefusal::issue).collect(Collectors.joining("\n"))
                : plain(fields.get("detail"));
        return detail + rest;
    }

    /** A timeline with a line for each entry, or a value on the same line. */
    private static String other(Object value) {
        boolean isTimeline = value instanceof List<?> list && !list.isEmpty() && list.stream().allMatch(PetriRefusal::isEntry);
        if (!isTimeline) {
            return " " + plain(value);
        }
        return ((List<?>) value).stream()
                .map(each -> (Map<?, ?>) each)
                .map(entry -> "\n    " + entry.get("at") + "  " + entry.get("what"))
                .collect(Collectors.joining());
    }

    private static boolean isEntry(Object value) {
        return value instanceof Map<?, ?> entry && entry.get("at") != null && entry.get("what") != null;
    }

    private static String plain(Object value) {
        if (value instanceof String text) {
            return text;
        }
        if (value == null || value instanceof List<?> none && none.isEmpty()) {
            return "nothing";
        }
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        return Caller.JSON.valueToTree(value).toString();
    }

    /** What is wrong with a field of a request. */
    private static String issue(Object value) {
        if (value instanceof Map<?, ?> fields && fields.get("loc") instanceof List<?> path && fields.get("msg") != null) {
            return path.stream().map(String::valueOf).collect(Collectors.joining(".")) + ": " + fields.get("msg");
        }
        return plain(value);
    }
}
