// Maven: org.testcontainers:testcontainers, org.testcontainers:junit-jupiter, org.junit.jupiter:junit-jupiter (scope test).
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

@Testcontainers
class PetriTest {
  private static final String IMAGE = System.getenv().getOrDefault("PETRI_IMAGE", "ghcr.io/example/petri-sandbox");

  @Container
  private static final GenericContainer<?> PETRI =
      new GenericContainer<>(DockerImageName.parse(IMAGE))
          .withEnv("PETRI_DATA", "memory")
          .withEnv("PETRI_CONTROL_TOKEN", "control")
          .withExposedPorts(4080)
          .waitingFor(Wait.forHttp("/_petri/health").forPort(4080));

  private static String post(String path, String body, String header, String value) throws Exception {
    URI url = URI.create("http://" + PETRI.getHost() + ":" + PETRI.getMappedPort(4080) + path);
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("content-type", "application/json")
            .header(header, value)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertTrue(answer.statusCode() < 300, answer.body());
    return answer.body();
  }

  @Test
  void timeMovesWhenItIsToldTo() throws Exception {
    String birth = "{\"frozen\": true, \"now\": \"2026-01-05T09:00:00Z\"}";
    String world = post("/_petri/worlds", birth, "authorization", "Bearer control");
    Matcher key = Pattern.compile("\"api_key\":\"([^\"]+)\"").matcher(world);
    assertTrue(key.find(), world);
    String advanced = post("/_petri/clock/advance", "{\"by\": \"3d\"}", "x-vital-api-key", key.group(1));
    assertEquals("{\"now\":\"2026-01-08T09:00:00.000Z\"", advanced.substring(0, 33));
  }
}
