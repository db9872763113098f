package io.posthorn.webhooks;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A Jakarta Servlet filter that lets only genuine webhooks through, for Spring Boot 3, Quarkus, Jetty and Tomcat. Your
 * servlet finds the {@link Webhook} as the attribute {@link #WEBHOOK}, and can read the body as usual. Other requests
 * get the response 400, or 413 for a body above {@link #MOST_BYTES}. Map it only to the path of your webhooks.
 */
public final class WebhookFilter implements Filter {
  /** The attribute of the request that has the {@link Webhook}. */
  public static final String WEBHOOK = "io.posthorn.webhook";

  /** The largest body that is read: an event of 1 MiB in an envelope, with base64. */
  public static final int MOST_BYTES = 3 << 19;

  private final Verifier verifier;

  public WebhookFilter(String... secrets) {
    this(new Verifier(secrets));
  }

  public WebhookFilter(Verifier verifier) {
    this.verifier = verifier;
  }

  @Override
  public void doFilter(ServletRequest given, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) given;
    HttpServletResponse response = (HttpServletResponse) answer;
    byte[] body = request.getInputStream().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      refuse(response, 413, "The body is larger than " + MOST_BYTES + " bytes");
      return;
    }
    Webhook webhook;
    try {
      webhook = verifier.verify(request::getHeader, body);
    } catch (WebhookVerificationException error) {
      refuse(response, 400, error.getMessage());
      return;
    }
    request.setAttribute(WEBHOOK, webhook);
    chain.doFilter(new ReadRequest(request, body), response);
  }

  private static void refuse(HttpServletResponse response, int status, String message) throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain;charset=utf-8");
    response.getWriter().write(message);
  }

  /** A request whose body the filter has read, and that lets the servlet read it again. */
  private static final class ReadRequest extends HttpServletRequestWrapper {
    private final byte[] body;

    ReadRequest(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = body;
    }

    @Override
    public BufferedReader getReader() {
      String named = getCharacterEncoding();
      Charset charset = named == null ? StandardCharsets.UTF_8 : Charset.forName(named);
      return new BufferedReader(new InputStreamReader(new ByteArrayInputStream(body), charset));
    }

    @Override
    public ServletInputStream getInputStream() {
      ByteArrayInputStream bytes = new ByteArrayInputStream(body);
      return new ServletInputStream() {
        @Override
        public int read() {
          return bytes.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
          return bytes.read(into, offset, length);
        }

        @Override
        public boolean isFinished() {
          return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
          throw new IllegalStateException("the body was read: read it without a listener");
        }
      };
    }
  }
}
