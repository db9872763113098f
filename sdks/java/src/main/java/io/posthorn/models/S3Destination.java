// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** Where messages to Amazon S3 go. */
public final class S3Destination extends Model {
  /** Takes what is required. */
  public S3Destination(String bucket, String region) {
    putRequired("bucket", bucket);
    putRequired("region", region);
  }

  private S3Destination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static S3Destination fromJson(JsonNode json) {
    return new S3Destination(Json.object(json));
  }

  /** It must exist. */
  public String bucket() {
    return Json.text(json.path("bucket"));
  }

  /** It must exist. */
  public S3Destination bucket(String bucket) {
    putRequired("bucket", bucket);
    return this;
  }

  /** The code of the region. */
  public String region() {
    return Json.text(json.path("region"));
  }

  /** The code of the region. */
  public S3Destination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public S3Destination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** The name of each object, as a template. */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }

  /** The name of each object, as a template. */
  public S3Destination key(String key) {
    putRequired("key", key);
    return this;
  }

  /**
   * Absent: the bucket's default.
   * <p>
   * One of <code>STANDARD</code>, <code>STANDARD_IA</code>, <code>ONEZONE_IA</code>, <code>INTELLIGENT_TIERING</code>, <code>GLACIER_IR</code>, <code>GLACIER</code>,
   * <code>DEEP_ARCHIVE</code>.
   */
  public @Nullable String storageClass() {
    return Json.text(json.path("storageClass"));
  }

  /**
   * Absent: the bucket's default.
   * <p>
   * One of <code>STANDARD</code>, <code>STANDARD_IA</code>, <code>ONEZONE_IA</code>, <code>INTELLIGENT_TIERING</code>, <code>GLACIER_IR</code>, <code>GLACIER</code>,
   * <code>DEEP_ARCHIVE</code>.
   */
  public S3Destination storageClass(String storageClass) {
    putRequired("storageClass", storageClass);
    return this;
  }

  /** Replace an object that has the key. For a store without conditional writes (If-None-Match). */
  public @Nullable Boolean overwrite() {
    return Json.orNull(json.path("overwrite"), JsonNode::asBoolean);
  }

  /** Replace an object that has the key. For a store without conditional writes (If-None-Match). */
  public S3Destination overwrite(boolean overwrite) {
    putRequired("overwrite", overwrite);
    return this;
  }
}
