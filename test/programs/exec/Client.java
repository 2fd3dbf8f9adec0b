import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Client {
  public static void main(String[] arguments) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://api.sandbox.tryvital.io/v2/user"))
            .header("x-vital-api-key", "sk_us_from_the_source")
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"client_user_id\":\"java\"}"))
            .build();
    String body = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    System.out.println(body.replaceAll(".*\"client_user_id\": ?\"(\\w+)\".*", "$1"));
  }
}
