import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import petri.sandbox.Petri;
import petri.sandbox.PetriWorld;
import petri.sandbox.Receiver;
import petri.sandbox.World;

/** Tests that run at the same time, and fail and end whatever hangs: CI compares what is printed of them. */
@PetriWorld(now = "2026-01-05T09:00:00Z", seed = "1")
@Execution(ExecutionMode.CONCURRENT)
class EndingTest {
    @Test
    void aClosedWorldIsUsed(World petri) {
        petri.close();
        petri.close();
        petri.describe();
    }

    @Test
    void aHandlerHangs(World petri, Receiver receiver) {
        receiver.handle(EndingTest::hang);
        petri.orders().place();
        petri.clock().settle();
    }

    @Test
    @Timeout(5)
    void anAdvanceIsInterrupted(World petri, Receiver receiver) {
        receiver.handle(EndingTest::hang);
        petri.orders().place();
        petri.clock().advance("30d");
    }

    @Test
    void petriIsKilled() {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        World petri = Petri.start().world();
        List<ProcessHandle> started = ProcessHandle.current().children().filter(each -> !before.contains(each)).toList();
        assertTrue(started.get(started.size() - 1).destroyForcibly());
        petri.describe();
    }

    private static int hang(Object webhook) {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        return 204;
    }
}
