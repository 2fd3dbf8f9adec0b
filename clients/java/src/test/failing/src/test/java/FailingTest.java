import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import petri.sandbox.PetriWorld;
import petri.sandbox.Receiver;
import petri.sandbox.World;

/** Tests that fail: CI compares what is printed of them. */
@PetriWorld(now = "2026-01-05T09:00:00Z", seed = "1")
@TestMethodOrder(MethodOrderer.MethodName.class)
class FailingTest {
    @BeforeEach
    void setUp(World petri, TestInfo test) {
        petri.fetch("GET", "/v2/user/ada", null);
        assertNotEquals("setUpFails", nameOf(test));
    }

    @AfterEach
    void tearDown(TestInfo test) {
        assertNotEquals("tearDownFails", nameOf(test));
    }

    private static String nameOf(TestInfo test) {
        return test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void aRefusalHasListsInIt(World petri) {
        petri.orders().move(petri.orders().place().id(), "lost");
    }

    @Test
    void setUpFails() {}

    @Test
    void tearDownFails() {}

    @Test
    void theHandlerFails(World petri, Receiver receiver) {
        receiver.handle(webhook -> {
            throw new AssertionError("never");
        });
        petri.orders().place();
        petri.clock().settle();
    }

    @Test
    void theTestFails(World petri) throws Exception {
        petri.orders().place();
        petri.clock().settle();
        HttpRequest call = HttpRequest.newBuilder(URI.create(petri.url() + "/v2/user/wrong-key")).build();
        HttpClient.newHttpClient().send(call, HttpResponse.BodyHandlers.ofString());
        fail("wrong");
    }
}
