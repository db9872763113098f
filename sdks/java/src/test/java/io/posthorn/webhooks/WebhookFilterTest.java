package io.posthorn.webhooks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the filter in a Tomcat. */
class WebhookFilterTest {
  private static final String SECRET = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";

  @TempDir Path folder;
  private Tomcat tomcat;

  /** Responds with the webhook and the body that it gets from the filter. */
  private static final class Echo extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
      Webhook webhook = (Webhook) request.getAttribute(WebhookFilter.WEBHOOK);
      response.getWriter().write(webhook.id() + " " + webhook.attempt() + " " + request.getReader().readLine());
    }
  }

  @BeforeEach
  void start() throws Exception {
    tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    Context context = tomcat.addContext("", folder.toString());
    FilterDef filter = new FilterDef();
    filter.setFilterName("webhooks");
    filter.setFilter(new WebhookFilter(SECRET));
    context.addFilterDef(filter);
    FilterMap map = new FilterMap();
    map.setFilterName("webhooks");
    map.addURLPattern("/webhooks");
    context.addFilterMap(map);
    Tomcat.addServlet(context, "echo", new Echo());
    context.addServletMappingDecoded("/webhooks", "echo");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void letsGenuineWebhooksThroughWithTheirBody() throws Exception {
    byte[] body = "{\"total\":1900}".getBytes();
    Map<String, String> headers = Webhooks.sign(SECRET, body);
    assertEquals("200 " + headers.get("webhook-id") + " 2 {\"total\":1900}", post(body, headers));
    assertEquals(
        "400 no signature matches: the body was changed, or the secret is another", post("{}".getBytes(), headers));
    assertEquals("400 webhook-id is missing", post(body, Map.of()));
    byte[] large = new byte[WebhookFilter.MOST_BYTES + 1];
    assertEquals("413 The body is larger than 1572864 bytes", post(large, Webhooks.sign(SECRET, large)));
  }

  private String post(byte[] body, Map<String, String> headers) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/webhooks");
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("webhook-attempt", "2");
    headers.forEach(request::header);
    HttpResponse<String> response = HttpClient.newHttpClient().send(
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }
}
