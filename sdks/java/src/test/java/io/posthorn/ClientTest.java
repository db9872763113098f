package io.posthorn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.posthorn.models.ChosenEventType;
import io.posthorn.models.ChosenPattern;
import io.posthorn.models.CreateEndpointBody;
import io.posthorn.models.DeliveryStatus;
import io.posthorn.models.Destination;
import io.posthorn.models.Endpoint;
import io.posthorn.models.EndpointConfig;
import io.posthorn.models.KafkaDestination;
import io.posthorn.models.Signature;
import io.posthorn.models.UpdateApplicationBody;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests of features that only the Java library has. */
class ClientTest {
  private static final class Order {
    @SuppressWarnings("unused")
    public final String id = "order_1";
  }

  @Test
  void aBodyIsTheFieldsThatWereSet() throws IOException {
    CreateEndpointBody body = new CreateEndpointBody()
        .url("https://example.com/hook")
        .eventTypes("order.paid", "order.shipped")
        .metadata(Map.of("level", 1))
        .config(new EndpointConfig().timeoutSeconds(5).signature(Signature.of("stripe")));
    assertEquals(
        "{\"url\":\"https://example.com/hook\",\"eventTypes\":[\"order.paid\",\"order.shipped\"],"
            + "\"metadata\":{\"level\":1},\"config\":{\"timeoutSeconds\":5,\"signature\":\"stripe\"}}",
        Caller.MAPPER.writeValueAsString(body));
    ChosenPattern pattern = new ChosenPattern("order.*").filter(Map.of("total", 1));
    body = new CreateEndpointBody().eventTypes(List.of(ChosenEventType.of("a"), ChosenEventType.of(pattern)));
    assertEquals(
        "{\"eventTypes\":[\"a\",{\"pattern\":\"order.*\",\"filter\":{\"total\":1}}]}", Caller.MAPPER.writeValueAsString(body));
    assertEquals("{\"externalId\":null}", Caller.MAPPER.writeValueAsString(new UpdateApplicationBody().externalId(null)));
    assertEquals("name", assertThrows(OptionException.class, () -> new UpdateApplicationBody().name(null)).option());
  }

  @Test
  void anAnswerKeepsWhatThisVersionDoesNotKnow() throws IOException {
    String text = "{\"id\":\"ep_1\",\"isActive\":true,\"secret\":\"whsec_hidden\",\"newer\":[1],\"eventTypes\":[\"a\"],"
        + "\"config\":{\"destination\":{\"brokers\":[\"k:9093\"],\"topic\":\"t\"},\"signature\":{\"scheme\":\"hmac\",\"header\":\"X\"},\"later\":2}}";
    Endpoint endpoint = Caller.MAPPER.readValue(text, Endpoint.class);
    assertEquals("ep_1", endpoint.id());
    assertTrue(endpoint.isActive());
    assertEquals(1, endpoint.get("newer").get(0).asInt());
    assertEquals(2, endpoint.config().timeoutSeconds(3).toJson().get("later").asInt());
    assertEquals(List.of("k:9093"), endpoint.config().destination().asKafkaDestination().brokers());
    assertNull(endpoint.config().destination().asS3Destination());
    assertNull(endpoint.config().signature().asText());
    assertEquals("X", endpoint.config().signature().asHmacSignature().header());
    assertFalse(endpoint.toString().contains("hidden"), endpoint.toString());
    assertEquals(endpoint, Endpoint.fromJson(endpoint.toJson()));
    assertEquals(DeliveryStatus.DEAD_LETTER, DeliveryStatus.of("dead_letter"));
    assertEquals("carrier_pigeon", DeliveryStatus.of("carrier_pigeon").value());
    KafkaDestination kafka = new KafkaDestination(List.of("k:9093"), "t");
    assertEquals("{\"brokers\":[\"k:9093\"],\"topic\":\"t\"}", Caller.MAPPER.writeValueAsString(Destination.of(kafka)));
  }

  @Test
  void aPayloadIsWrittenByTheMapperOfTheClient() throws IOException {
    List<String> bodies = new ArrayList<>();
    try (Closing server = serve(exchange -> {
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      answer(exchange, "application/json", "{\"id\":\"msg_1\"}");
    })) {
      Posthorn posthorn = server.client();
      posthorn.events().send("order.paid", new Order(), SendOptions.application("ext:a"));
      posthorn.events().sendDirect("ep_1", Map.of("at", Arrays.asList(1, null)));
      OptionException refused = assertThrows(OptionException.class,
          () -> posthorn.events().sendDirect("ep_1", new Object()));
      assertEquals("payload", refused.option());
    }
    assertEquals(List.of("{\"id\":\"order_1\"}", "{\"at\":[1,null]}"), bodies);
  }

  @Test
  void theKeysOfAMapAreSortedSoThatARepeatedCallSendsTheSameBytesInEveryJvm() throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String name : List.of("d", "b", "c", "a")) fields.put(name, 1);
    fields.put("b", Map.copyOf(fields));
    String sorted = "{\"a\":1,\"b\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1},\"c\":1,\"d\":1}";
    List<String> bodies = new ArrayList<>();
    try (Closing server = serve(exchange -> {
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      answer(exchange, "application/json", "{\"id\":\"msg_1\"}");
    })) {
      server.client().events().send("order.paid", fields, SendOptions.application("ext:a"));
    }
    assertEquals(List.of(sorted), bodies);
    ChosenPattern pattern = new ChosenPattern("order.*").filter(fields);
    assertEquals("{\"pattern\":\"order.*\",\"filter\":" + sorted + "}", Caller.MAPPER.writeValueAsString(pattern));
  }

  @Test
  void aCharacterMayComeInTwoPartsOfAStream() throws IOException {
    byte[] text = ": hello\r\n\r\nevent: delivery\r\ndata: {\"id\":\"dlv_ü\"}\r\n\r\nevent: new\ndata: {}\n\n"
        .getBytes(StandardCharsets.UTF_8);
    try (Closing server = serve(exchange -> {
      exchange.getResponseHeaders().set("content-type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream body = exchange.getResponseBody()) {
        for (byte one : text) {
          body.write(one);
          body.flush();
        }
      }
    }); EventStream<StreamChangesEvent> changes = server.client().stats().streamChanges()) {
      Iterator<StreamChangesEvent> iterator = changes.iterator();
      StreamChangesEvent first = iterator.next();
      assertEquals("dlv_ü", first.delivery().id());
      assertNull(first.event());
      assertEquals("new", iterator.next().name());
      assertFalse(iterator.hasNext());
    }
  }

  @Test
  void aThreadThatWasInterruptedGivesItsMessagesBackAndStaysInterrupted() throws IOException {
    List<String> paths = new CopyOnWriteArrayList<>();
    try (Closing server = serve(exchange -> {
      String path = exchange.getRequestURI().getPath();
      paths.add(path.substring(path.lastIndexOf('/') + 1));
      answer(exchange, "application/json", path.endsWith("lease")
          ? "{\"messages\":[{\"deliveryId\":\"dlv_1\",\"leaseToken\":\"t\",\"headers\":{},\"body\":\"e30=\"}]}"
          : "{\"results\":[{\"deliveryId\":\"dlv_1\",\"result\":\"settled\"}]}");
    })) {
      assertThrows(CallInterruptedException.class, () -> {
        try (Pull messages = server.client().pull("ep_1", new PullOptions().pullKey("phpl_1"))) {
          for (PulledMessage message : messages) Thread.currentThread().interrupt();
        }
      });
      assertTrue(Thread.interrupted());
    }
    assertEquals(List.of("lease", "nack"), paths);
  }

  @Test
  void anotherSenderSeesEveryRequest() {
    List<String> seen = new ArrayList<>();
    HttpSender sender = new HttpSender() {
      @Override
      public <Body> HttpResponse<Body> send(HttpRequest request, HttpResponse.BodyHandler<Body> handler) throws IOException {
        seen.add(request.method() + " " + request.uri().getPath());
        throw new IOException("out of order");
      }
    };
    Posthorn posthorn = Posthorn.builder().baseUrl("https://posthorn.example.com").token("phm_1").workspaceId("ws_1")
        .retries(0).sender(sender).build();
    ConnectionException error = assertThrows(ConnectionException.class, () -> posthorn.endpoints().get("ep_1"));
    assertEquals("No complete answer: out of order", error.getMessage());
    assertEquals(List.of("GET /management/v1/workspaces/ws_1/endpoints/ep_1"), seen);
  }

  private static Closing serve(HttpHandler handler) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", handler);
    server.start();
    return new Closing(server);
  }

  private static void answer(HttpExchange exchange, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", type);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static final class Closing implements AutoCloseable {
    private final HttpServer server;

    Closing(HttpServer server) {
      this.server = server;
    }

    Posthorn client() {
      return Posthorn.builder().baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
          .token("phm_1").apiKey("phk_1").workspaceId("ws_1").build();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
