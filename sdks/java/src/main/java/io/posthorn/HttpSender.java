package io.posthorn;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends the requests of a client. Pass {@code httpClient::send}, or your own to log, measure or replace requests. */
@FunctionalInterface
public interface HttpSender {
  /**
   * Works like {@code java.net.http.HttpClient.send}. It must not follow redirects: another server must not get the
   * credential.
   */
  <Body> HttpResponse<Body> send(HttpRequest request, HttpResponse.BodyHandler<Body> handler)
      throws IOException, InterruptedException;
}
