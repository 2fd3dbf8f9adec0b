package petri.sandbox;

/** Petri cannot be started, found or used; the message says why, in a sentence. */
public class PetriException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PetriException(String message) {
        super(message);
    }

    PetriException(String message, Throwable cause) {
        super(message, cause);
    }
}
