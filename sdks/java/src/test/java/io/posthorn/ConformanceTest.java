package io.posthorn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of sdks/conformance over a real socket. */
class ConformanceTest {
  private static Server server;

  @BeforeAll
  static void start() {
    server = new Server();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @TestFactory
  List<DynamicTest> doesWhatTheCasesSay() {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode one : server.get("/cases")) {
      String id = one.get("id").asText();
      tests.add(dynamicTest(id + ": " + one.get("name").asText(), () -> {
        JsonNode begun = server.post("/cases/" + id + "/begin", Caller.MAPPER.createObjectNode());
        JsonNode ended = server.post("/cases/" + id + "/end", Caller.run(begun));
        assertEquals("[]", ended.get("faults").toString());
      }));
    }
    assertFalse(tests.isEmpty());
    return tests;
  }
}
