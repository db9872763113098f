// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Amazon S3. */
public final class S3Destination extends Model {
  /** Takes the required fields. */
  public S3Destination(String bucket, String region) {
    putRequired("bucket", bucket);
    putRequired("region", region);
  }

  private S3Destination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static S3Destination fromJson(JsonNode json) {
    return new S3Destination(Json.object(json));
  }

  /** The name of an existing bucket. */
  public String bucket() {
    return Json.text(json.path("bucket"));
  }

  /** The name of an existing bucket. */
  public S3Destination bucket(String bucket) {
    putRequired("bucket", bucket);
    return this;
  }

  /** The code of the AWS region. */
  public String region() {
    return Json.text(json.path("region"));
  }

  /** The code of the AWS region. */
  public S3Destination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public S3Destination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** The key of each object, as a template. */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }

  /** The key of each object, as a template. */
  public S3Destination key(String key) {
    putRequired("key", key);
    return this;
  }

  /**
   * The storage class. Defaults to that of the bucket.
   * <p>
   * One of <code>STANDARD</code>, <code>STANDARD_IA</code>, <code>ONEZONE_IA</code>, <code>INTELLIGENT_TIERING</code>, <code>GLACIER_IR</code>, <code>GLACIER</code>,
   * <code>DEEP_ARCHIVE</code>.
   */
  public @Nullable String storageClass() {
    return Json.text(json.path("storageClass"));
  }

  /**
   * The storage class. Defaults to that of the bucket.
   * <p>
   * One of <code>STANDARD</code>, <code>STANDARD_IA</code>, <code>ONEZONE_IA</code>, <code>INTELLIGENT_TIERING</code>, <code>GLACIER_IR</code>, <code>GLACIER</code>,
   * <code>DEEP_ARCHIVE</code>.
   */
  public S3Destination storageClass(String storageClass) {
    putRequired("storageClass", storageClass);
    return this;
  }

  /** Whether to replace an object with the same key. For stores without conditional writes (If-None-Match). */
  public @Nullable Boolean overwrite() {
    return Json.orNull(json.path("overwrite"), JsonNode::asBoolean);
  }

  /** Whether to replace an object with the same key. For stores without conditional writes (If-None-Match). */
  public S3Destination overwrite(boolean overwrite) {
    putRequired("overwrite", overwrite);
    return this;
  }
}
