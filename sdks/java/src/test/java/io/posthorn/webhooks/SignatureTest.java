package io.posthorn.webhooks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests every signature of sdks/conformance. */
class SignatureTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TestFactory
  List<DynamicTest> verifiesAndSignsAsTheOthersDo() throws IOException {
    JsonNode file = MAPPER.readTree(Path.of("..", "conformance", "signature.json").toFile());
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode one : file.get("cases")) tests.add(dynamicTest(one.get("name").asText(), () -> verify(one)));
    for (JsonNode one : file.get("signs")) tests.add(dynamicTest(one.get("name").asText(), () -> sign(one)));
    assertFalse(tests.isEmpty());
    return tests;
  }

  private static void verify(JsonNode one) {
    byte[] payload = bytes(one.get("payload"));
    List<String> secrets = MAPPER.convertValue(one.get("secrets"), new TypeReference<List<String>>() {});
    Map<String, Object> headers = MAPPER.convertValue(one.get("headers"), new TypeReference<Map<String, Object>>() {});
    Clock clock = Clock.fixed(Instant.ofEpochSecond(one.get("now").asLong()), ZoneOffset.UTC);
    Duration tolerance = Duration.ofSeconds(one.path("toleranceSeconds").asLong(300));
    JsonNode expect = one.get("expect");
    if (Runtime.version().feature() < 15 && secrets.stream().anyMatch(secret -> secret.strip().startsWith("whpk_"))) {
      WebhookVerificationException error =
          assertThrows(WebhookVerificationException.class, () -> new Verifier(secrets));
      assertEquals(Reason.INVALID_SECRET, error.reason());
      if (!error.getMessage().contains("base64")) assertTrue(error.getMessage().contains("Java 15"), error.getMessage());
      return;
    }
    if (expect.has("reason")) {
      WebhookVerificationException error = assertThrows(WebhookVerificationException.class,
          () -> new Verifier(secrets).withTolerance(tolerance).withClock(clock).verify(headers, payload));
      assertEquals(expect.get("reason").asText(), error.reason().code());
      for (String secret : secrets) assertFalse(secret.length() > 8 && error.getMessage().contains(secret));
      return;
    }
    Webhook webhook = new Verifier(secrets).withTolerance(tolerance).withClock(clock).verify(headers, payload);
    assertEquals(expect.get("id").asText(), webhook.id());
    assertEquals(expect.get("timestamp").asLong(), webhook.timestamp().getEpochSecond());
    assertArrayEquals(payload, webhook.payload());
  }

  private static void sign(JsonNode one) {
    Instant at = Instant.ofEpochSecond(one.get("timestamp").asLong());
    Map<String, String> headers =
        Webhooks.sign(one.get("secret").asText(), bytes(one.get("payload")), one.get("id").asText(), at);
    assertEquals(MAPPER.convertValue(one.get("headers"), new TypeReference<Map<String, String>>() {}), headers);
  }

  static byte[] bytes(JsonNode payload) {
    if (payload.has("base64")) return Base64.getDecoder().decode(payload.get("base64").asText());
    String text = payload.get("text").asText();
    return text.repeat(payload.path("repeat").asInt(1)).getBytes(StandardCharsets.UTF_8);
  }
}
