import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final byte[] KEY = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", ""));
  static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  /** Whether a valid secret has signed these bytes, at most five minutes ago. */
  static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
    String timestamp = header(headers, "webhook-timestamp");
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    mac.update((header(headers, "webhook-id") + "." + timestamp + ".").getBytes());
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
    for (String given : header(headers, "webhook-signature").split(" ")) {
      if (MessageDigest.isEqual(expected, given.getBytes())) return true;
    }
    return false;
  }

  /** Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table. */
  static void keepOnce(String id, String contentType, byte[] body) {
    if (SEEN.contains(id)) return;
    // Jackson and Gson parse these bytes. Jackson skips a byte order mark; for Gson remove it first.
    System.out.println("received " + id + " " + contentType + " " + body.length + " bytes");
    // Only now: if the work fails, Posthorn sends the webhook again.
    SEEN.add(id);
  }

  static String header(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }

  public static void main(String[] args) throws Exception {
    if (KEY.length == 0) throw new IllegalStateException("WEBHOOK_SECRET is empty");
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/webhooks", exchange -> {
      int status = 400;
      try (exchange) {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Headers headers = exchange.getRequestHeaders();
        if (isGenuine(headers, body)) {
          keepOnce(header(headers, "webhook-id"), header(headers, "content-type"), body);
          status = 204;
        }
        exchange.sendResponseHeaders(status, -1);
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible); // Every Java has HmacSHA256.
      }
    });
    server.start();
  }
}
