package petri.sandbox;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Resolves parameters of the types {@link Petri}, {@link World} and {@link Receiver}. The journal of a failed test is printed. */
public final class PetriExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(PetriExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Petri.class || type == World.class || type == Receiver.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == Petri.class) {
            return petri(context);
        }
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("A " + type.getSimpleName() + " belongs to one test: take it there or in @BeforeEach. "
                    + "For one of the whole class take Petri, and create a world with petri.world().");
        }
        World world = world(context);
        return type == World.class ? world : receiver(context, world);
    }

    /** Prints the journal of a test that has failed, or whose handler has. JUnit only logs what is thrown when it closes a world. */
    @Override
    public void afterEach(ExtensionContext context) {
        Closing<?> closing = context.getStore(NAMESPACE).get(World.class, Closing.class);
        if (closing == null) {
            return;
        }
        World world = (World) closing.value;
        boolean hasFailed = context.getExecutionException().filter(each -> !(each instanceof TestAbortedException)).isPresent();
        if (hasFailed || world.hasFailedHandler()) {
            world.printJournal(context.getRequiredTestClass().getSimpleName() + "." + context.getDisplayName());
        }
        world.closeReceivers();
    }

    /** All tests share one Petri, which ends with them. */
    private static Petri petri(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        return (Petri) store.getOrComputeIfAbsent(Petri.class, key -> started(), Closing.class).value;
    }

    private static Closing<Petri> started() {
        Petri petri = Petri.start();
        return new Closing<>(petri, petri::close);
    }

    private static World world(ExtensionContext context) {
        Petri petri = petri(context);
        return (World) context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(World.class, key -> created(petri, optionsOf(context)), Closing.class)
                .value;
    }

    private static Closing<World> created(Petri petri, Control.NewWorld options) {
        World world = petri.world(options);
        return new Closing<>(world, world::close);
    }

    private static Receiver receiver(ExtensionContext context, World world) {
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(
                Receiver.class,
                key -> {
                    Receiver receiver = world.receiver();
                    world.webhooks().deliverTo(receiver.url());
                    return receiver;
                },
                Receiver.class);
    }

    /** The values of a method are laid over those of its class, and these over those of the classes around it. */
    private static Control.NewWorld optionsOf(ExtensionContext context) {
        Deque<AnnotatedElement> elements = new ArrayDeque<>();
        context.getTestMethod().ifPresent(elements::addFirst);
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
            elements.addFirst(type);
        }
        Control.NewWorld options = new Control.NewWorld();
        for (AnnotatedElement element : elements) {
            AnnotationSupport.findAnnotation(element, PetriWorld.class).ifPresent(annotation -> apply(annotation, options));
        }
        return options;
    }

    private static void apply(PetriWorld annotation, Control.NewWorld options) {
        if (!annotation.scenario().isEmpty()) {
            options.scenario(annotation.scenario());
        }
        if (!annotation.now().isEmpty()) {
            options.now(annotation.now());
        }
        if (!annotation.seed().isEmpty()) {
            options.seed(annotation.seed());
        }
        if (!annotation.like().isEmpty()) {
            options.like(annotation.like());
        }
        for (boolean frozen : annotation.frozen()) {
            options.frozen(frozen);
        }
    }

    /** JUnit closes it with its context: a world after the test, Petri after all tests. From 5.13 on it wants an AutoCloseable. */
    private static final class Closing<T> implements Store.CloseableResource, AutoCloseable {
        private final T value;
        private final Runnable end;

        private Closing(T value, Runnable end) {
            this.value = value;
            this.end = end;
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
