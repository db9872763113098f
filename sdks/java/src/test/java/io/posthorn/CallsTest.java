package io.posthorn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The calls of sdks/conformance/calls.json to a running Posthorn, which the environment variables name. */
@EnabledIfEnvironmentVariable(named = "POSTHORN_TEST_BASE_URL", matches = ".+")
class CallsTest {
  @Test
  void worksAgainstARunningPosthorn() {
    Posthorn posthorn = Posthorn.builder()
        .baseUrl(System.getenv("POSTHORN_TEST_BASE_URL"))
        .token(System.getenv("POSTHORN_TEST_TOKEN"))
        .apiKey(System.getenv("POSTHORN_TEST_API_KEY"))
        .build();
    try (Server server = new Server()) {
      JsonNode given = Caller.MAPPER.createObjectNode().put("environment", System.getenv("POSTHORN_TEST_ENVIRONMENT"));
      JsonNode next = server.post("/calls/begin", given);
      while (!next.path("done").asBoolean()) {
        next = server.post("/calls/next", Caller.call(posthorn, next.get("call")));
      }
      assertEquals("[]", next.get("faults").toString());
      assertTrue(next.get("calls").asInt() > 30);
    }
  }
}
