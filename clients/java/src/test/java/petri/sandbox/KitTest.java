package petri.sandbox;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;

@PetriWorld(now = "2026-01-05T09:00:00Z")
class KitTest {
    @Test
    @PetriWorld(now = "2026-01-05T09:00:00Z", scenario = "problem-in-transit-customer")
    void aKitIsLostAndFound(World petri, Receiver receiver) {
        petri.webhooks().faults().set(new Control.WebhookFaultsInput().duplicate(1));
        petri.orders().place();
        petri.clock().advance("5d");
        List<Received> updates = receiver.events("labtest.order.updated");
        assertEquals(
                "collecting_sample.testkit.problem_in_transit_customer",
                updates.get(updates.size() - 1).as(Control.Order.class).lastEvent().status());
        assertTrue(receiver.received().size() > receiver.events().size());
        Received last = updates.get(updates.size() - 1);
        assertEquals(List.of(last.id()), last.headers().get("svix-id"));
        assertEquals(List.of(), receiver.refused());
    }

    @Test
    void whatTheProgramShowsIsCompared(World petri) {
        String id = petri.orders().place().id();
        petri.orders().setResults(id, new Control.ExactResults().values(Map.of("glucose", 91)));
        petri.clock().advanceUntil("idle");
        petri.assertAgrees(id, "completed", null, Map.of("glucose", 91.0));
        petri.assertAgrees(id, "completed.testkit.completed", null, null);
        AssertionFailedError wrong = assertThrows(
                AssertionFailedError.class, () -> petri.assertAgrees(id, "lost", null, Map.of("glucose", 92.0)));
        assertEquals(
                Map.of("status", "completed.testkit.completed", "glucose", 91.0), wrong.getExpected().getEphemeralValue());
        assertEquals(Map.of("status", "lost", "glucose", 92.0), wrong.getActual().getEphemeralValue());
        PetriRefusal none = assertThrows(PetriRefusal.class, () -> petri.assertAgrees(id, "losst", null, null));
        assertTrue(none.getMessage().contains("\"losst\" is not a status of an order. Did you mean \"lost\"?"), none.getMessage());
        assertEquals(List.of(), petri.requests().list());
    }

    @Nested
    @PetriWorld(scenario = "slow-lab", frozen = false)
    class InAClassOfItsOwn {
        @Test
        @PetriWorld(seed = "refunds")
        void valuesAreLaidOverThoseAround(World petri) {
            Control.WorldView world = petri.describe();
            assertEquals("slow-lab", world.scenario());
            assertEquals("refunds", world.seed());
            assertFalse(world.clock().frozen());
        }
    }

    /** Run by the test below. */
    @ExtendWith(PetriExtension.class)
    static final class Shares {
        @BeforeAll
        static void setUp(World petri) {}

        @Test
        void runs() {}
    }

    @Test
    void aWorldOfAClassIsRefused() {
        String refusal = failuresOf(Shares.class).values().iterator().next().getMessage();
        assertTrue(refusal.contains("A World belongs to one test: take it there or in @BeforeEach."), refusal);
    }

    @Test
    void timesOfJavaMoveTheClock(World petri) {
        Instant start = petri.clock().now();
        petri.clock().advance(Duration.ofHours(36).plusMillis(5));
        assertEquals(start.plus(Duration.ofHours(36).plusMillis(5)), petri.clock().now());
        petri.clock().advanceTo(start.plus(Duration.ofDays(2)));
        assertEquals(start.plus(Duration.ofDays(2)), petri.clock().now());
    }

    @Test
    void whatIsGivenStaysAsItIs(Petri server) {
        Control.NewWorld options = new Control.NewWorld().seed("refunds");
        server.world(options).close();
        assertEquals("NewWorld {\"seed\":\"refunds\"}", options.toString());
    }

    @Test
    void whatIsNoIdIsRefused(Petri server, World petri, Receiver receiver) {
        assertEquals("An id or name is null.", assertThrows(PetriException.class, () -> petri.orders().get(null)).getMessage());
        assertEquals("An id or name is empty.", assertThrows(PetriException.class, () -> petri.orders().move("", "lost")).getMessage());
        assertEquals("The options are null.", assertThrows(PetriException.class, () -> server.world(null)).getMessage());
        assertEquals(
                "A receiver needs a handler; it got null.",
                assertThrows(PetriException.class, () -> receiver.handle(null)).getMessage());
        assertEquals(
                "The test should name an address such as http://127.0.0.1:4080; it names \"null\".",
                assertThrows(PetriException.class, () -> Petri.connect(null, null)).getMessage());
    }

    @Test
    void aForgedWebhookIsRefused(World petri, Receiver receiver) {
        petri.webhooks().faults().set(new Control.WebhookFaultsInput().badSignature(true));
        petri.orders().place();
        petri.clock().settle();
        assertEquals(List.of(), receiver.received());
        String reason = "No signature of the webhook matches its body and the secret.";
        assertEquals(reason, receiver.refused().get(0));
        assertTrue(petri.journal().contains("pending (The receiver answered 401: " + reason + ")"), petri.journal());
    }

    @Test
    void aRefusalHasTheWordsOfPetri(World petri) {
        String id = "00000000-0000-4000-8000-000000000000";
        PetriRefusal refusal = assertThrows(PetriRefusal.class, () -> petri.orders().get(id));
        assertEquals(404, refusal.status());
        assertTrue(refusal.getMessage().startsWith("GET /v3/order/" + id + " answered 404: "), refusal.getMessage());
        assertTrue(petri.journal().contains("GET /v3/order/" + id + ": 404"), petri.journal());
        PetriRefusal wrong = assertThrows(PetriRefusal.class, () -> petri.clock().setPace(-1));
        assertTrue(wrong.getMessage().startsWith("PATCH /_petri/clock answered 422: body.pace: "), wrong.getMessage());
    }

    @Test
    void stateIsExportedAndImported(World petri) {
        petri.users().create("ada");
        JsonNode state = petri.state().export();
        petri.reset();
        petri.state().import_(state);
        assertEquals(1L, petri.describe().counts().get("users"));
    }

    @Test
    void anOlderPetriIsNamed(@TempDir Path folder) throws IOException {
        try (Answering old = new Answering("0.0.9")) {
            PetriException problem =
                    assertThrows(PetriException.class, () -> Petri.start(Map.of("PETRI_URL", old.url()), folder));
            assertEquals(
                    "Petri 0.0.9 at " + old.url() + " is older than this client, " + Version.CLIENT
                            + ": update Petri, or use version 0.0.9 of the client.",
                    problem.getMessage());
        }
        assertTrue(Petri.isOlder("0.9.0", "0.10.0"));
        assertFalse(Petri.isOlder("0.10.0", "0.9.0"));
        assertFalse(Petri.isOlder("1.0.0-rc.1", "1.0.0"));
    }

    @Test
    void aRunningPetriIsFoundByItsFolder(@TempDir Path folder) throws IOException {
        Path below = Files.createDirectories(folder.resolve("orders/src"));
        Path file = Files.createDirectories(folder.resolve(".petri")).resolve("running.json");
        try (Answering running = new Answering(Version.CLIENT)) {
            Files.writeString(file, "{\"pid\": 1, \"url\": \"" + running.url() + "\"}");
            assertEquals(running.url(), Petri.start(Map.of(), below).url());
        }
        Files.writeString(file, "{\"pid\": 1, \"url\": \"http://127.0.0.1:9\"}");
        assertNull(Petri.runningAbove(below, null));
    }

    @Test
    void whatCannotBeStartedIsSaidInASentence(@TempDir Path folder) throws IOException {
        Path say = Files.writeString(folder.resolve("say"), "#!/bin/sh\necho Port 4080 on 127.0.0.1 is taken.\n");
        assertTrue(say.toFile().setExecutable(true));
        String here = Path.of("").toAbsolutePath().toString();
        String relative = " is a relative path, and there is no such file in " + here + ": write an absolute path into PETRI_COMMAND.";
        String noAddress = "PETRI_URL should name an address such as http://127.0.0.1:4080; it names \"";
        Map<Map<String, String>, String> cases = Map.ofEntries(
                entry(
                        Map.of("PETRI_URL", "http://127.0.0.1:9"),
                        "Nobody listens at http://127.0.0.1:9, which PETRI_URL names (java.net.ConnectException): "
                                + "start Petri there, or unset PETRI_URL."),
                entry(Map.of("PETRI_URL", "ftp://127.0.0.1"), noAddress + "ftp://127.0.0.1\"."),
                entry(Map.of("PETRI_URL", "127.0.0.1:4080"), noAddress + "127.0.0.1:4080\"."),
                entry(Map.of("PETRI_COMMAND", "no-such-petri"), "no-such-petri start --host 127.0.0.1 --port 0 --data memory --attached cannot be run"),
                entry(Map.of("PETRI_COMMAND", "bin/petri"), "\nbin/petri" + relative),
                entry(Map.of("PETRI_COMMAND", say + " dist/cli/main.js"), "\ndist/cli/main.js" + relative),
                entry(Map.of("PETRI_COMMAND", say.toString()), "did not start: Port 4080 on 127.0.0.1 is taken."),
                entry(Map.of("PETRI_COMMAND", " \t", "PATH", folder.toString()), "There is no Petri: set PETRI_COMMAND"),
                entry(Map.of("PETRI_IMAGE", "petri-sandbox"), "PETRI_IMAGE is set, but there is neither docker nor podman."),
                entry(Map.of("PETRI_COMMAND", "node 'dist/main.js"), "PETRI_COMMAND has a quote without its end: node 'dist/main.js"));
        cases.forEach((environment, expected) -> {
            PetriException problem = assertThrows(PetriException.class, () -> Petri.start(environment, folder));
            assertTrue(problem.getMessage().contains(expected), problem.getMessage());
        });
    }

    @Test
    void anImageIsStartedWithTheNetworkOfThisMachine(@TempDir Path folder) throws IOException {
        assertTrue(Files.writeString(folder.resolve("podman"), "").toFile().setExecutable(true));
        assertEquals(
                List.of("podman", "run", "--rm", "--interactive", "--network", "host", "petri-sandbox"),
                PetriProcess.startCommand(Map.of("PETRI_IMAGE", "petri-sandbox", "PATH", folder.toString())));
        Map<String, String> withScenarios =
                Map.of("PETRI_IMAGE", "petri-sandbox", "PATH", folder.toString(), "PETRI_SCENARIOS", folder.toString());
        assertEquals(
                List.of("--volume", folder + ":/scenarios:ro", "--env", "PETRI_SCENARIOS=/scenarios", "petri-sandbox"),
                PetriProcess.startCommand(withScenarios).subList(6, 11));
    }

    @Test
    void aCommandHasQuotesAroundSpaces() {
        assertEquals(
                List.of("node", "/my clone/main.js", "--x=a \"b\"", "C:\\petri"),
                PetriProcess.words("  node \"/my clone/main.js\"  --x='a \"b\"' C:\\petri "));
    }

    private static Map<String, Throwable> failuresOf(Class<?> tests) {
        Map<String, Throwable> failures = new HashMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(tests))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(failure -> failures.put(test.getDisplayName().replaceFirst("\\(.*", ""), failure));
            }
        });
        return failures;
    }

    @Test
    void aWorldEndsOnce(Petri server) {
        World world = server.world();
        Thread.currentThread().interrupt();
        world.close();
        assertTrue(Thread.interrupted());
        world.close();
        PetriException ended = assertThrows(PetriException.class, world::describe);
        assertEquals("This world has ended: its test is over, or has closed it.", ended.getMessage());
        World dropped = server.world();
        server.drop(dropped.teamId());
        dropped.close();
    }

    @Test
    void anInterruptEndsAnAdvance(World petri, Receiver receiver) throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch isOver = new CountDownLatch(1);
        receiver.handle(webhook -> {
            isAsked.countDown();
            assertDoesNotThrow(() -> isOver.await());
            return 204;
        });
        petri.orders().place();
        AtomicReference<Throwable> problem = new AtomicReference<>();
        Thread test = new Thread(() -> problem.set(assertThrows(PetriException.class, () -> petri.clock().advance("30d"))));
        test.start();
        isAsked.await();
        test.interrupt();
        test.join();
        isOver.countDown();
        assertEquals("POST /_petri/clock/advance was interrupted", problem.get().getMessage());
        while (petri.clock().get().advancing()) {
            Thread.onSpinWait();
        }
    }

    /** Answers like a Petri of a version. */
    private static final class Answering implements AutoCloseable {
        private final HttpServer server;

        private Answering(String version) throws IOException {
            byte[] body = ("{\"status\": \"ok\", \"version\": \"" + version + "\", \"contract_version\": \"1\"}")
                    .getBytes(StandardCharsets.UTF_8);
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        private String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
