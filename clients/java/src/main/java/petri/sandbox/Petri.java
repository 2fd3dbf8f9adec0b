package petri.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A running Petri. Close it, or use {@link PetriWorld}, whose tests share one. */
public final class Petri implements AutoCloseable {
    private static final int NOT_FOUND = 404;

    private final String url;
    /** Null for a Petri that this process has not started. */
    private final PetriProcess process;
    private final Control.Operations control;
    private final String receiverHost;

    private Petri(String url, String givenBy, PetriProcess process, String token) {
        this.url = url.replaceAll("/+$", "");
        this.process = process;
        Map<String, String> headers = token == null ? Map.of() : Map.of("authorization", "Bearer " + token);
        this.control = new Control.Operations(new Caller(this.url, headers, this::end));
        String caller = assertPetri(givenBy);
        String given = System.getenv("RECEIVER_HOST");
        this.receiverHost = given == null || given.isBlank() ? receiverHostOf(caller) : given;
    }

    /**
     * Connects to the Petri of PETRI_URL, or to one that runs in the folder .petri here or above. Otherwise starts one, which stores
     * nothing and ends with this process, with PETRI_COMMAND, PETRI_IMAGE or petri-sandbox.
     */
    public static Petri start() {
        return start(System.getenv(), Path.of(""));
    }

    /** Connects to a running Petri, such as one in a container. Its control token makes worlds; null if it has none. */
    public static Petri connect(String url, String controlToken) {
        return new Petri(url, "the test", null, controlToken);
    }

    static Petri start(Map<String, String> environment, Path folder) {
        String token = environment.get("PETRI_CONTROL_TOKEN");
        if (PetriProcess.isSet(environment, "PETRI_URL")) {
            return new Petri(environment.get("PETRI_URL"), "PETRI_URL", null, token);
        }
        if (!PetriProcess.isSet(environment, "PETRI_COMMAND") && !PetriProcess.isSet(environment, "PETRI_IMAGE")) {
            Petri running = runningAbove(folder, token);
            if (running != null) {
                return running;
            }
        }
        PetriProcess process = new PetriProcess(environment);
        return new Petri(process.url(), "its log", process, null);
    }

    /** Creates a world, whose clock is frozen unless the options say otherwise. */
    public World world(Control.NewWorld options) {
        Control.NewWorld copy = Caller.copyOf(options);
        if (copy.frozen() == null) {
            copy.frozen(true);
        }
        return new World(this, control.worldsMake(copy));
    }

    public World world() {
        return world(new Control.NewWorld());
    }

    public String url() {
        return url;
    }

    /** The host by which Petri reaches receivers in this process. */
    String receiverHost() {
        return receiverHost;
    }

    void drop(String teamId) {
        try {
            control.worldsDrop(teamId);
        } catch (PetriRefusal refusal) {
            if (refusal.status() != NOT_FOUND) {
                throw refusal;
            }
        }
    }

    /** How a Petri that was started here has ended; empty while it runs. */
    String end() {
        return process == null ? "" : process.end();
    }

    /** Calls with a key of no world, which the log of a Petri that was started here has. */
    List<String> strangers() {
        return process == null ? List.of() : process.strangers();
    }

    /** Ends the Petri if this process has started it. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    /** The host of receivers for a Petri that sees calls come from an address: that address, unless both are on this machine. */
    static String receiverHostOf(String caller) {
        if (caller == null || caller.equals("::1") || caller.startsWith("127.")) {
            return Receiver.LOOPBACK;
        }
        return caller.contains(":") ? "[" + caller + "]" : caller;
    }

    /** Returns the address from which Petri sees this process. */
    private String assertPetri(String givenBy) {
        Control.Health health = null;
        try {
            health = control.health();
        } catch (PetriRefusal refusal) {
            // Another server has answered.
        } catch (PetriException problem) {
            String where = "Nobody listens at " + url + ", which " + givenBy + " names.";
            throw new PetriException(where + " (" + problem.getMessage() + ")", problem);
        }
        if (health == null || health.contractVersion() == null) {
            throw new PetriException(url + " is not Petri.");
        }
        if (isOlder(health.version(), Version.CLIENT)) {
            throw new PetriException("Petri " + health.version() + " at " + url + " is older than this client, " + Version.CLIENT
                    + ": update Petri, or use version " + health.version() + " of the client.");
        }
        return health.caller();
    }

    /** Compares versions such as 0.10.2. */
    static boolean isOlder(String version, String other) {
        int[] one = numbersOf(version);
        int[] two = numbersOf(other);
        for (int i = 0; i < Math.min(one.length, two.length); i++) {
            if (one[i] != two[i]) {
                return one[i] < two[i];
            }
        }
        return false;
    }

    private static int[] numbersOf(String version) {
        return Stream.of(version.replaceAll("[-+].*", "").split("\\.")).mapToInt(Integer::parseInt).toArray();
    }

    /** The Petri whose data folder is .petri in this folder or one above; null if none answers. */
    static Petri runningAbove(Path start, String token) {
        for (Path folder = start.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(".petri").resolve("running.json");
            if (!Files.isReadable(file)) {
                continue;
            }
            try {
                return new Petri(Caller.JSON.readTree(file.toFile()).path("url").asText(), file.toString(), null, token);
            } catch (IOException | PetriException | IllegalArgumentException problem) {
                // A file of a Petri that was killed leads nowhere.
            }
        }
        return null;
    }
}
