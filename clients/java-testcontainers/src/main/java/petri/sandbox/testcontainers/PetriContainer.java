package petri.sandbox.testcontainers;

import java.nio.file.Path;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;
import petri.sandbox.Control;
import petri.sandbox.Petri;
import petri.sandbox.World;

/** Petri in a container, which stores nothing. */
public class PetriContainer extends GenericContainer<PetriContainer> {
    private static final DockerImageName IMAGE = DockerImageName.parse("ghcr.io/example/petri-sandbox:0.1.0");
    private static final int PORT = 4080;
    private static final String SCENARIOS = "/scenarios";

    /** Makes worlds: the calls of a test come from another machine, as the container sees it. */
    private final String controlToken = UUID.randomUUID().toString();
    private Petri petri;

    public PetriContainer() {
        this(IMAGE);
    }

    public PetriContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT);
        withEnv("PETRI_DATA", "memory");
        withEnv("PETRI_CONTROL_TOKEN", controlToken);
        waitingFor(Wait.forHttp("/_petri/health").forPort(PORT).forStatusCode(200));
    }

    /** Copies a folder of scenario files into the container, whose worlds then have its scenarios. */
    public PetriContainer withScenarios(Path folder) {
        withEnv("PETRI_SCENARIOS", SCENARIOS);
        return withCopyFileToContainer(MountableFile.forHostPath(folder), SCENARIOS);
    }

    public String url() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
    }

    /** The Petri in the running container. */
    public synchronized Petri petri() {
        if (petri == null) {
            petri = Petri.connect(url(), controlToken);
        }
        return petri;
    }

    /** Creates a world, whose clock is frozen. Close it after the test. */
    public World world() {
        return petri().world();
    }

    /** Creates a world, whose clock is frozen unless the options say otherwise. */
    public World world(Control.NewWorld options) {
        return petri().world(options);
    }

    @Override
    public synchronized void stop() {
        petri = null;
        super.stop();
    }
}
