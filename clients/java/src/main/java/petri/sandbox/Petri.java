package petri.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
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

    private Petri(String url, Origin origin, PetriProcess process, String token) {
        assertAddress(url, origin);
        this.url = url.replaceAll("/+$", "");
        this.process = process;
        Map<String, String> headers = token == null ? Map.of() : Map.of("authorization", "Bearer " + token);
        this.control = new Control.Operations(new Caller(this.url, headers, this::end));
        String caller = assertPetri(origin);
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
        return new Petri(url, new Origin("the test", "give the test another address"), null, controlToken);
    }

    static Petri start(Map<String, String> environment, Path folder) {
        String token = environment.get("PETRI_CONTROL_TOKEN");
        if (PetriProcess.isSet(environment, "PETRI_URL")) {
            return new Petri(environment.get("PETRI_URL"), new Origin("PETRI_URL", "unset PETRI_URL"), null, token);
        }
        if (!PetriProcess.isSet(environment, "PETRI_COMMAND") && !PetriProcess.isSet(environment, "PETRI_IMAGE")) {
            Petri running = runningAbove(folder, token);
            if (running != null) {
                return running;
            }
        }
        PetriProcess process = new PetriProcess(environment);
        return new Petri(process.url(), new Origin("its log", "start it again"), process, null);
    }

    /** Creates a world, whose clock is frozen unless the options say otherwise. */
    public World world(Control.NewWorld options) {
        Control.NewWorld copy = Caller.copyOf(options);
        if (copy.frozen() == null) {
            copy.frozen(true);
        }
        Control.WorldView view = control.worldsMake(copy);
        Map<String, String> headers = Map.of("x-service-api-key", view.apiKey());
        return new World(this, view, new Caller(url, headers, this::end));
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

    /** How a Petri that was started here has ended; empty if it runs. */
    private String end() {
        return process == null ? "" : process.end();
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

    /** Who has given an address, and what to do if nobody listens there. */
    private record Origin(String name, String remedy) {}

    private static void assertAddress(String url, Origin origin) {
        try {
            URI address = new URI(url == null ? "" : url);
            if (List.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null) {
                return;
            }
        } catch (URISyntaxException problem) {
            // Said below.
        }
        throw new PetriException(Character.toUpperCase(origin.name().charAt(0)) + origin.name().substring(1)
                + " should name an address such as http://127.0.0.1:4080; it names \"" + url + "\".");
    }

    /** Returns the address from which Petri sees this process. */
    private String assertPetri(Origin origin) {
        Control.Health health = null;
        try {
            health = control.health();
        } catch (PetriRefusal refusal) {
            // Another server has answered.
        } catch (PetriException problem) {
            if (process != null) {
                throw problem;
            }
            throw new PetriException("Nobody listens at " + url + ", which " + origin.name() + " names (" + problem.getCause()
                    + "): start Petri there, or " + origin.remedy() + ".", problem);
        }
        if (health == null || health.contractVersion() == null) {
            throw new PetriException(url + ", which " + origin.name() + " names, is not Petri.");
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
                String url = Caller.JSON.readTree(file.toFile()).path("url").asText();
                return new Petri(url, new Origin(file.toString(), "delete this file"), null, token);
            } catch (IOException | PetriException problem) {
                // A file of a Petri that was killed leads nowhere.
            }
        }
        return null;
    }
}
