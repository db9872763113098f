package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** The server of the conformance cases, which runs in Node. */
final class Server implements AutoCloseable {
  /** The folder sdks/conformance. Maven runs tests in the folder of the pom. */
  static final Path FOLDER = Path.of("..", "conformance");

  private final Process process;
  private final String url;
  private final HttpClient http = HttpClient.newHttpClient();

  Server() {
    try {
      process = new ProcessBuilder("node", FOLDER.resolve("server.mjs").toString())
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream()));
      url = Caller.MAPPER.readTree(lines.readLine()).get("url").asText();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  JsonNode get(String path) {
    return ask(HttpRequest.newBuilder(URI.create(url + path)).build());
  }

  JsonNode post(String path, JsonNode body) {
    return ask(HttpRequest.newBuilder(URI.create(url + path))
        .POST(HttpRequest.BodyPublishers.ofString(body.toString())).build());
  }

  private JsonNode ask(HttpRequest request) {
    try {
      return Caller.MAPPER.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      throw new AssertionError(error);
    }
  }

  /** Stops the server: it exits at the end of its input. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor();
    } catch (IOException | InterruptedException error) {
      throw new AssertionError(error);
    }
  }
}
