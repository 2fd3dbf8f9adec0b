package petri.sandbox;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of webhooks: the Svix scheme. */
public final class Signature {
    /** How much a timestamp may differ from the clock of this machine. */
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private Signature() {}

    /** Throws an IllegalArgumentException unless the headers sign this body with this secret, and not long ago. */
    public static void verify(String secret, Function<String, String> header, byte[] body) {
        String id = required(header, "svix-id");
        String timestamp = required(header, "svix-timestamp");
        String signatures = required(header, "svix-signature");
        if (!timestamp.matches("\\d{1,12}")
                || Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now()).abs().compareTo(TOLERANCE) > 0) {
            throw new IllegalArgumentException("The timestamp of the webhook is too old or too new.");
        }
        byte[] expected = ("v1," + sign(secret, id, timestamp, body)).getBytes(StandardCharsets.UTF_8);
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) {
                return;
            }
        }
        throw new IllegalArgumentException("No signature of the webhook matches its body and the secret.");
    }

    private static String required(Function<String, String> header, String name) {
        String value = header.apply(name);
        if (value == null) {
            throw new IllegalArgumentException("The header " + name + " is missing.");
        }
        return value;
    }

    private static String sign(String secret, String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException problem) {
            throw new IllegalStateException("Every Java has HmacSHA256.", problem);
        }
    }
}
