// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Kafka topics whose records become events. */
public final class SourcesResource extends Resource {
  SourcesResource(Transport transport) {
    super(transport);
  }

  /**
   * List sources.
   * <p>
   * Returns sources oldest first. Credentials are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Source> list() {
    return list(new ListSourcesOptions());
  }

  /**
   * List sources.
   * <p>
   * Returns sources oldest first. Credentials are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Source> list(ListSourcesOptions options) {
    Call call = new Call("GET", "/sources").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "sources", Source::fromJson);
  }

  /**
   * Create a source.
   * <p>
   * A source reads topics of Apache Kafka. Each record becomes one event, exactly once. Reading starts within
   * seconds; <code>health</code> shows the result.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Source create(CreateSourceBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create a source.
   * <p>
   * A source reads topics of Apache Kafka. Each record becomes one event, exactly once. Reading starts within
   * seconds; <code>health</code> shows the result.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Source create(CreateSourceBody body, ChangeOptions options) {
    Call call = new Call("POST", "/sources").inWorkspace().body(body).keyed();
    return transport.request(call, options, Source::fromJson);
  }

  /**
   * Get a source.
   * <p>
   * Returns a source, with its health as last reported by the reader.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Source get(String id) {
    return get(id, new RequestOptions());
  }

  /**
   * Get a source.
   * <p>
   * Returns a source, with its health as last reported by the reader.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Source get(String id, RequestOptions options) {
    Call call = new Call("GET", "/sources/{id}", id).inWorkspace();
    return transport.request(call, options, Source::fromJson);
  }

  /**
   * Update a source.
   * <p>
   * Reading continues from the current position, and from <code>start</code> in a topic that is new to the source. Stored
   * credentials are removed when the brokers change. A stopped source tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source update(String id, UpdateSourceBody body) {
    return update(id, body, new RequestOptions());
  }

  /**
   * Update a source.
   * <p>
   * Reading continues from the current position, and from <code>start</code> in a topic that is new to the source. Stored
   * credentials are removed when the brokers change. A stopped source tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source update(String id, UpdateSourceBody body, RequestOptions options) {
    Call call = new Call("PATCH", "/sources/{id}", id).inWorkspace().body(body);
    return transport.request(call, options, Source::fromJson);
  }

  /**
   * Delete a source.
   * <p>
   * Also deletes its position and its rejections. Its events are kept.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id) {
    delete(id, new RequestOptions());
  }

  /**
   * Delete a source.
   * <p>
   * Also deletes its position and its rejections. Its events are kept.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, RequestOptions options) {
    Call call = new Call("DELETE", "/sources/{id}", id).inWorkspace();
    transport.send(call, options);
  }

  /**
   * Seek in a topic.
   * <p>
   * Moves the source to an offset or a time in a topic. Records from there on are read, and those that were read
   * before become new events. A stopped source tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source seek(String id, SeekSourceBody body) {
    return seek(id, body, new ChangeOptions());
  }

  /**
   * Seek in a topic.
   * <p>
   * Moves the source to an offset or a time in a topic. Records from there on are read, and those that were read
   * before become new events. A stopped source tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source seek(String id, SeekSourceBody body, ChangeOptions options) {
    Call call = new Call("POST", "/sources/{id}/seek", id).inWorkspace().body(body).keyed();
    return transport.request(call, options, Source::fromJson);
  }

  /**
   * Test a source.
   * <p>
   * Connects to the brokers, describes the topics and reads one record, without storing it. The response shows the
   * event that the record would become, or why it cannot become one. A source can be tested once every 5 seconds.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public SourceTest test(String id) {
    return test(id, new ChangeOptions());
  }

  /**
   * Test a source.
   * <p>
   * Connects to the brokers, describes the topics and reads one record, without storing it. The response shows the
   * event that the record would become, or why it cannot become one. A source can be tested once every 5 seconds.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public SourceTest test(String id, ChangeOptions options) {
    Call call = new Call("POST", "/sources/{id}/test", id).inWorkspace().keyed();
    return transport.request(call, options, SourceTest::fromJson);
  }

  /**
   * List a source's rejected records.
   * <p>
   * Returns rejected records newest first. The newest 10,000 are kept.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<SourceRejection> listRejections(String id) {
    return listRejections(id, new ListSourceRejectionsOptions());
  }

  /**
   * List a source's rejected records.
   * <p>
   * Returns rejected records newest first. The newest 10,000 are kept.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<SourceRejection> listRejections(String id, ListSourceRejectionsOptions options) {
    Call call = new Call("GET", "/sources/{id}/rejections", id).inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "rejections", SourceRejection::fromJson);
  }
}
