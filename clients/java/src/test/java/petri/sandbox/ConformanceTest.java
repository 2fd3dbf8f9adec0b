package petri.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plays the scripts that the clients of all languages have in common. */
@ExtendWith(PetriExtension.class)
class ConformanceTest {
    private static final Path SCRIPTS = Path.of(System.getProperty("petri.conformance", "../conformance/scripts.json"));

    /** Of the overloads of a verb, the one is called whose type has all fields. */
    private static final ObjectMapper STRICT =
            Caller.JSON.copy().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true);

    /** Verbs whose name is taken in Java. */
    private static final Map<String, String> NAMES = Map.of("import", "import_", "wait", "waitFor");

    /** Verbs whose name has their only option. */
    private static final List<String> SPELLED = List.of("clock.advanceTo", "clock.advanceUntil");

    record Script(String name, Control.NewWorld world, List<Step> steps) {}

    record Step(
            @com.fasterxml.jackson.annotation.JsonProperty("do") String verb,
            List<Object> with,
            Map<String, Object> options,
            String as,
            Object expect,
            Integer refused) {}

    @TestFactory
    Stream<DynamicTest> conforms(Petri petri) throws Exception {
        List<Script> scripts = Caller.JSON.readValue(SCRIPTS.toFile(), new TypeReference<>() {});
        return scripts.stream().map(script -> dynamicTest(script.name(), () -> {
            try (World world = petri.world(script.world())) {
                Map<String, Object> known = new HashMap<>();
                for (Step step : script.steps()) {
                    play(world, step, known);
                }
            }
        }));
    }

    private static void play(World world, Step step, Map<String, Object> known) throws Exception {
        List<Object> arguments = new ArrayList<>();
        for (Object each : step.with() == null ? List.of() : step.with()) {
            arguments.add(fill(each, known));
        }
        String verb = step.verb();
        if (step.options() != null) {
            Map.Entry<String, Object> option = step.options().entrySet().iterator().next();
            // Java spells some options in the name of the verb, such as advanceUntil.
            String named = verb + Character.toUpperCase(option.getKey().charAt(0)) + option.getKey().substring(1);
            boolean isNamed = step.options().size() == 1 && SPELLED.contains(named);
            verb = isNamed ? named : verb;
            arguments.add(fill(isNamed ? option.getValue() : step.options(), known));
        }
        if (step.refused() != null) {
            PetriRefusal refusal = assertThrows(PetriRefusal.class, () -> call(world, step.verb(), arguments), step.toString());
            assertEquals(step.refused(), refusal.status());
            return;
        }
        Object result = call(world, verb, arguments);
        known.put(String.valueOf(step.as()), result);
        assertEquals(List.of(), differences(fill(step.expect(), known), result, step.verb()));
    }

    /** Calls a verb such as orders.place with arguments of JSON, and returns its result as JSON. */
    private static Object call(World world, String verb, List<Object> arguments) throws Exception {
        String[] names = verb.split("\\.");
        Object owner = world;
        for (int i = 0; i < names.length - 1; i++) {
            owner = owner.getClass().getMethod(names[i]).invoke(owner);
        }
        String name = names[names.length - 1];
        IllegalArgumentException unsuitable = null;
        for (Method method : owner.getClass().getMethods()) {
            if (!method.getName().equals(NAMES.getOrDefault(name, name)) || method.getParameterCount() != arguments.size()) {
                continue;
            }
            Object[] given;
            try {
                given = converted(method, arguments);
            } catch (IllegalArgumentException problem) {
                unsuitable = problem;
                continue;
            }
            try {
                Object result = method.invoke(owner, given);
                return result instanceof Instant instant ? instant.toString() : Caller.JSON.convertValue(result, Object.class);
            } catch (InvocationTargetException problem) {
                throw (Exception) problem.getCause();
            }
        }
        throw new IllegalArgumentException("The kit has no " + verb + " for " + arguments, unsuitable);
    }

    private static Object[] converted(Method method, List<Object> arguments) {
        Object[] given = new Object[arguments.size()];
        for (int i = 0; i < given.length; i++) {
            Object argument = method.isVarArgs() && i == given.length - 1 ? List.of(arguments.get(i)) : arguments.get(i);
            given[i] = STRICT.convertValue(argument, STRICT.constructType(method.getGenericParameterTypes()[i]));
        }
        return given;
    }

    /** Replaces $order.id by what an earlier step has returned. */
    private static Object fill(Object value, Map<String, Object> known) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> filled = new HashMap<>();
            map.forEach((name, each) -> filled.put(String.valueOf(name), fill(each, known)));
            return filled;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(each -> fill(each, known)).collect(Collectors.toList());
        }
        if (!(value instanceof String text) || !text.startsWith("$")) {
            return value;
        }
        String[] path = text.substring(1).split("\\.");
        Object found = known.get(path[0]);
        for (int i = 1; i < path.length; i++) {
            found = found instanceof List<?> list ? list.get(Integer.parseInt(path[i])) : ((Map<?, ?>) found).get(path[i]);
        }
        return found;
    }

    /** Where something is not as expected: an object may have more fields, a list not more items. */
    private static List<String> differences(Object expected, Object actual, String at) {
        if (expected == null) {
            return List.of();
        }
        if (expected instanceof Map<?, ?> map && actual instanceof Map<?, ?> object) {
            return map.entrySet().stream()
                    .flatMap(each -> differences(each.getValue(), object.get(each.getKey()), at + "." + each.getKey()).stream())
                    .toList();
        }
        if (expected instanceof List<?> list && actual instanceof List<?> items && list.size() == items.size()) {
            List<String> found = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                found.addAll(differences(list.get(i), items.get(i), at + "[" + i + "]"));
            }
            return found;
        }
        boolean isSame = expected instanceof Number one && actual instanceof Number other
                ? one.doubleValue() == other.doubleValue()
                : expected.equals(actual);
        return isSame ? List.of() : List.of(at + " is " + actual + ", not " + expected);
    }
}
