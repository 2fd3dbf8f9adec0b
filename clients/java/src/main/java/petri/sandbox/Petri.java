package petri.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running Petri. Close it, or use {@link PetriWorld}, whose tests share one. */
public final class Petri implements AutoCloseable {
    private static final long START_SECONDS = 30;
    private static final Pattern ADDRESS = Pattern.compile("http://(?:127\\.0\\.0\\.1|localhost):\\d+");

    private final String url;
    private final Process process;
    private final Control.Operations control;
    private final String receiverHost;

    private Petri(String url, Process process, String token) {
        this.url = url.replaceAll("/+$", "");
        this.process = process;
        Map<String, String> headers = token == null ? Map.of() : Map.of("authorization", "Bearer " + token);
        this.control = new Control.Operations(new Caller(this.url, headers));
        String caller = assertPetri();
        String given = System.getenv("RECEIVER_HOST");
        this.receiverHost = given == null || given.isBlank() ? receiverHostOf(caller) : given;
    }

    /**
     * Connects to the Petri of PETRI_URL, or to one that runs in the folder .petri here or above. Otherwise starts one, which stores
     * nothing and ends with this process, with PETRI_COMMAND, PETRI_IMAGE, petri-sandbox or npx.
     */
    public static Petri start() {
        return start(System.getenv(), Path.of(""));
    }

    /** Connects to a running Petri, such as one in a container. Its control token makes worlds; null if it has none. */
    public static Petri connect(String url, String controlToken) {
        return new Petri(url, null, controlToken);
    }

    static Petri start(Map<String, String> environment, Path folder) {
        String token = environment.get("PETRI_CONTROL_TOKEN");
        if (isSet(environment, "PETRI_URL")) {
            return new Petri(environment.get("PETRI_URL"), null, token);
        }
        if (!isSet(environment, "PETRI_COMMAND") && !isSet(environment, "PETRI_IMAGE")) {
            String running = runningAbove(folder);
            if (running != null) {
                return new Petri(running, null, token);
            }
        }
        List<String> command = new ArrayList<>(startCommand(environment));
        command.addAll(List.of("start", "--host", "127.0.0.1", "--port", "0", "--data", "memory", "--attached"));
        return startProcess(command);
    }

    /** Creates a world, whose clock is frozen unless the options say otherwise. */
    public World world(Control.NewWorld options) {
        if (options.frozen() == null) {
            options.frozen(true);
        }
        return new World(this, control.worldsMake(options));
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
        control.worldsDrop(teamId);
    }

    /** Ends the Petri if this process has started it. */
    @Override
    public void close() {
        if (process != null) {
            process.destroy();
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
    private String assertPetri() {
        Control.Health health = control.health();
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

    /** The URL of the Petri whose data folder is .petri in this folder or one above; null if none answers. */
    static String runningAbove(Path start) {
        for (Path folder = start.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(".petri").resolve("running.json");
            if (!Files.isReadable(file)) {
                continue;
            }
            try {
                JsonNode url = Caller.JSON.readTree(file.toFile()).path("url");
                new Control.Operations(new Caller(url.asText(), Map.of())).health();
                return url.asText();
            } catch (IOException | PetriException | IllegalArgumentException problem) {
                // A file of a Petri that was killed leads nowhere.
            }
        }
        return null;
    }

    /** The command that starts a Petri, without its arguments. */
    static List<String> startCommand(Map<String, String> environment) {
        if (isSet(environment, "PETRI_COMMAND")) {
            return List.of(environment.get("PETRI_COMMAND").trim().split("\\s+"));
        }
        if (isSet(environment, "PETRI_IMAGE")) {
            String engine = Stream.of("docker", "podman")
                    .filter(name -> isInPath(environment, name))
                    .findFirst()
                    .orElseThrow(() -> new PetriException("PETRI_IMAGE is set, but there is neither docker nor podman."));
            // With the network of this machine, the receivers of tests can be reached.
            return List.of(engine, "run", "--rm", "--interactive", "--network", "host", environment.get("PETRI_IMAGE"));
        }
        for (String name : List.of("petri-sandbox", "petri")) {
            if (isInPath(environment, name)) {
                return List.of(name);
            }
        }
        if (isInPath(environment, "npx")) {
            return List.of("npx", "--yes", "petri-sandbox");
        }
        throw new PetriException(
                "There is no Petri: set PETRI_URL, PETRI_COMMAND or PETRI_IMAGE, or install petri-sandbox or Node.");
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }

    private static boolean isInPath(Map<String, String> environment, String name) {
        return Stream.of(environment.getOrDefault("PATH", "").split(Pattern.quote(java.io.File.pathSeparator)))
                .flatMap(folder -> Stream.of(Path.of(folder, name), Path.of(folder, name + ".cmd"), Path.of(folder, name + ".exe")))
                .anyMatch(Files::isExecutable);
    }

    /** Starts a Petri that ends with this process, which holds its standard input. */
    private static Petri startProcess(List<String> command) {
        String text = String.join(" ", command);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The settings of another Petri are not for this one.
        builder.environment().keySet().removeIf(name -> name.startsWith("PETRI_"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException problem) {
            throw new PetriException(text + " cannot be run: " + problem.getMessage(), problem);
        }
        CompletableFuture<String> told = new CompletableFuture<>();
        Thread reader = new Thread(() -> watch(process, told), "petri-log");
        reader.setDaemon(true);
        reader.start();
        try {
            String said = told.get(START_SECONDS, TimeUnit.SECONDS);
            Matcher address = ADDRESS.matcher(said);
            if (!address.find()) {
                throw new PetriException(text + " did not start: " + said.strip());
            }
            return new Petri(address.group(), process, null);
        } catch (TimeoutException problem) {
            process.destroy();
            throw new PetriException(text + " did not start within " + START_SECONDS + " seconds.", problem);
        } catch (ExecutionException problem) {
            throw new PetriException(text + " did not start: " + problem.getCause(), problem);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new PetriException(text + " was interrupted.", problem);
        }
    }

    /** Tells the line with the address, or all lines if there is none, and goes on reading, so that Petri is never held up. */
    private static void watch(Process process, CompletableFuture<String> told) {
        StringBuilder lines = new StringBuilder();
        try (BufferedReader log = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                if (told.isDone()) {
                    continue;
                }
                lines.append(line).append('\n');
                if (ADDRESS.matcher(line).find()) {
                    told.complete(line);
                }
            }
            told.complete(lines.toString());
        } catch (IOException problem) {
            told.completeExceptionally(problem);
        }
    }
}
