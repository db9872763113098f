package shop;

import io.posthorn.webhooks.Verifier;
import io.posthorn.webhooks.Webhook;
import io.posthorn.webhooks.WebhookVerificationException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class SpringReceiver {
  private final Verifier verifier = new Verifier(System.getenv("WEBHOOK_SECRET"));
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  @PostMapping("/webhooks")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  public void receive(HttpServletRequest request) throws IOException {
    // Not @RequestBody: Spring writes the body of a form anew, with other bytes.
    keepOnce(verifier.verify(request::getHeader, request.getInputStream().readAllBytes()));
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  public void refuse(WebhookVerificationException error) {}

  /** Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table. */
  private void keepOnce(Webhook webhook) {
    if (seen.contains(webhook.id())) return;
    // Other types that contain the word, such as application/x-ndjson, are not JSON.
    String type = webhook.contentType() == null ? "" : webhook.contentType();
    String plain = type.toLowerCase().split(";")[0].trim();
    boolean isJson = (plain.equals("application/json") || plain.endsWith("+json")) && webhook.payload().length > 0;
    if (isJson) webhook.json();
    System.out.println("received " + webhook.id() + " " + type + " " + webhook.payload().length + (isJson ? " json" : " bytes"));
    // Only now: if the work fails, Posthorn sends the webhook again.
    seen.add(webhook.id());
  }

  public static void main(String[] args) {
    SpringApplication spring = new SpringApplication(SpringReceiver.class);
    spring.setDefaultProperties(Map.of("server.address", "127.0.0.1", "server.port", System.getenv("PORT")));
    spring.run(args);
  }
}
