package petri.sandbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test a world of its own, as a parameter of type {@link World}; a {@link Receiver} gets its webhooks. The values of a method
 * are laid over those of its class, and these over those of the classes around it.
 */
@ExtendWith(PetriExtension.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface PetriWorld {
    /** The scenario that orders follow unless they name another. */
    String scenario() default "";

    /** Where the clock stands at first, such as 2026-01-05T09:00:00Z. */
    String now() default "";

    /** What all ids, names and numbers follow from. */
    String seed() default "";

    /** The settings of a team of the live service: sandbox or production. */
    String like() default "";

    /** Whether the clock stands until it is advanced; it does unless this is false. */
    boolean[] frozen() default {};
}
