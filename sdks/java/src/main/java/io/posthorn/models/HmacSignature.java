// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** An HMAC signature in a header of your choice. */
public final class HmacSignature extends Model {
  /** Takes the required fields. */
  public HmacSignature(String scheme, String header) {
    putRequired("scheme", scheme);
    putRequired("header", header);
  }

  private HmacSignature(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static HmacSignature fromJson(JsonNode json) {
    return new HmacSignature(Json.object(json));
  }

  /** One of <code>hmac</code>. */
  public String scheme() {
    return Json.text(json.path("scheme"));
  }

  /** One of <code>hmac</code>. */
  public HmacSignature scheme(String scheme) {
    putRequired("scheme", scheme);
    return this;
  }

  public String header() {
    return Json.text(json.path("header"));
  }

  public HmacSignature header(String header) {
    putRequired("header", header);
    return this;
  }

  /** One of <code>sha256</code>, <code>sha512</code>, <code>sha1</code>. */
  public @Nullable String algorithm() {
    return Json.text(json.path("algorithm"));
  }

  /** One of <code>sha256</code>, <code>sha512</code>, <code>sha1</code>. */
  public HmacSignature algorithm(String algorithm) {
    putRequired("algorithm", algorithm);
    return this;
  }

  /** One of <code>hex</code>, <code>base64</code>. */
  public @Nullable String encoding() {
    return Json.text(json.path("encoding"));
  }

  /** One of <code>hex</code>, <code>base64</code>. */
  public HmacSignature encoding(String encoding) {
    putRequired("encoding", encoding);
    return this;
  }

  /** One of <code>body</code>, <code>timestamp.body</code>, <code>id.timestamp.body</code>. */
  public @Nullable String content() {
    return Json.text(json.path("content"));
  }

  /** One of <code>body</code>, <code>timestamp.body</code>, <code>id.timestamp.body</code>. */
  public HmacSignature content(String content) {
    putRequired("content", content);
    return this;
  }

  /**
   * The format of the header value, with <code>{signature}</code> and optionally <code>{timestamp}</code>, such as
   * <code>t={timestamp},v1={signature}</code>.
   */
  public @Nullable String form() {
    return Json.text(json.path("form"));
  }

  /**
   * The format of the header value, with <code>{signature}</code> and optionally <code>{timestamp}</code>, such as
   * <code>t={timestamp},v1={signature}</code>.
   */
  public HmacSignature form(String form) {
    putRequired("form", form);
    return this;
  }

  public @Nullable String timestampHeader() {
    return Json.text(json.path("timestampHeader"));
  }

  public HmacSignature timestampHeader(String timestampHeader) {
    putRequired("timestampHeader", timestampHeader);
    return this;
  }

  public @Nullable String idHeader() {
    return Json.text(json.path("idHeader"));
  }

  public HmacSignature idHeader(String idHeader) {
    putRequired("idHeader", idHeader);
    return this;
  }
}
