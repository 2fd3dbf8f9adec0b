package petri.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Petri that this process has started, and its log. It ends with this process, which holds its standard input. */
final class PetriProcess {
    private static final long START_SECONDS = 30;
    /** The time after which a Petri that does not answer has not ended. */
    private static final long END_MILLIS = 5_000;
    /** How many lines of the log are told. */
    private static final int LOG_LINES = 20;

    private static final Pattern ADDRESS = Pattern.compile("http://(?:127\\.0\\.0\\.1|localhost):\\d+");
    /** Words are separated by white space; what is between quotes belongs to one word. The kits of all languages read it so. */
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"|'([^']*)'");

    private static final Pattern SOURCE_FILE = Pattern.compile("[^-].*\\.[cm]?[jt]s");

    private final String command;
    /** What may be wrong with a command that starts nothing; empty if nothing is seen. */
    private final String advice;
    private final Process process;
    private final Deque<String> log = new ArrayDeque<>();
    private final CompletableFuture<String> address = new CompletableFuture<>();
    private final Thread reader = new Thread(this::read, "petri-log");

    /** Starts a Petri that stores nothing. */
    PetriProcess(Map<String, String> environment) {
        List<String> words = new ArrayList<>(startCommand(environment));
        advice = isSet(environment, "PETRI_COMMAND") ? missingFile(words) : "";
        words.addAll(List.of("start", "--host", "127.0.0.1", "--port", "0", "--data", "memory", "--attached"));
        command = String.join(" ", words);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        // The settings of another Petri are not for this one, but for the user's scenarios.
        builder.environment().keySet().removeIf(name -> name.startsWith("PETRI_") && !name.equals("PETRI_SCENARIOS"));
        try {
            process = builder.start();
        } catch (IOException problem) {
            throw new PetriException(command + " cannot be run: " + problem.getMessage() + advice, problem);
        }
        reader.setDaemon(true);
        reader.start();
    }

    /** Waits until Petri has told its address. */
    String url() {
        try {
            String url = address.get(START_SECONDS, TimeUnit.SECONDS);
            if (url.isEmpty()) {
                throw new PetriException(command + " did not start: " + lastLines() + advice);
            }
            return url;
        } catch (TimeoutException | ExecutionException problem) {
            process.destroy();
            throw new PetriException(command + " did not start within " + START_SECONDS + " seconds: " + lastLines() + advice, problem);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new PetriException(command + " was interrupted.", problem);
        }
    }

    /** How a Petri that does not answer has ended, with the last lines of its log; empty if it runs on. */
    String end() {
        try {
            if (process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
                reader.join(END_MILLIS);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        return process.isAlive()
                ? ""
                : "Petri has ended with status " + process.exitValue() + ". Its last lines:\n" + lastLines();
    }

    void close() {
        process.destroy();
    }

    private synchronized String lastLines() {
        return String.join("\n", log).strip();
    }

    /** Reads the log to its end, so that Petri is never held up. */
    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
                Matcher found = ADDRESS.matcher(line);
                if (found.find()) {
                    address.complete(found.group());
                }
            }
        } catch (IOException problem) {
            note(problem.toString());
        }
        address.complete("");
    }

    private synchronized void note(String line) {
        log.addLast(line);
        if (log.size() > LOG_LINES) {
            log.removeFirst();
        }
    }

    /** The command that starts a Petri, without its arguments. */
    static List<String> startCommand(Map<String, String> environment) {
        if (isSet(environment, "PETRI_COMMAND")) {
            return words(environment.get("PETRI_COMMAND"));
        }
        if (isSet(environment, "PETRI_IMAGE")) {
            String engine = Stream.of("docker", "podman")
                    .filter(name -> isInPath(environment, name))
                    .findFirst()
                    .orElseThrow(() -> new PetriException("PETRI_IMAGE is set, but there is neither docker nor podman."));
            // With the network of this machine, the receivers of tests can be reached.
            List<String> command = new ArrayList<>(List.of(engine, "run", "--rm", "--interactive", "--network", "host"));
            if (isSet(environment, "PETRI_SCENARIOS")) {
                Path folder = Path.of(environment.get("PETRI_SCENARIOS")).toAbsolutePath();
                command.addAll(List.of("--volume", folder + ":/scenarios:ro", "--env", "PETRI_SCENARIOS=/scenarios"));
            }
            command.add(environment.get("PETRI_IMAGE"));
            return command;
        }
        return Stream.of("petri-sandbox", "petri")
                .filter(name -> isInPath(environment, name))
                .map(List::of)
                .findFirst()
                .orElseThrow(() -> new PetriException("There is no Petri: set PETRI_COMMAND to the command that starts one, "
                        + "PETRI_URL to one that runs, or PETRI_IMAGE."));
    }

    static List<String> words(String command) {
        if (!WORD.matcher(command).replaceAll("").isBlank()) {
            throw new PetriException("PETRI_COMMAND has a quote without its end: " + command);
        }
        return WORD.matcher(command).results()
                .map(MatchResult::group)
                .map(word -> QUOTED.matcher(word).replaceAll(PetriProcess::unquoted))
                .toList();
    }

    private static String unquoted(MatchResult quoted) {
        return Matcher.quoteReplacement(quoted.group(1) == null ? quoted.group(2) : quoted.group(1));
    }

    /** Tells of a program or script that is named by a relative path, because tests run in the folder of their module. */
    private static String missingFile(List<String> words) {
        return words.stream()
                .filter(word -> SOURCE_FILE.matcher(word).matches() || word.equals(words.get(0)) && word.matches(".*[/\\\\].*"))
                .map(Path::of)
                .filter(file -> !file.isAbsolute() && !Files.exists(file))
                .findFirst()
                .map(file -> "\n" + file + " is a relative path, and there is no such file in " + Path.of("").toAbsolutePath()
                        + ": write an absolute path into PETRI_COMMAND.")
                .orElse("");
    }

    static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }

    private static boolean isInPath(Map<String, String> environment, String name) {
        return Stream.of(environment.getOrDefault("PATH", "").split(Pattern.quote(java.io.File.pathSeparator)))
                .flatMap(folder -> Stream.of(Path.of(folder, name), Path.of(folder, name + ".cmd"), Path.of(folder, name + ".exe")))
                .anyMatch(Files::isExecutable);
    }
}
