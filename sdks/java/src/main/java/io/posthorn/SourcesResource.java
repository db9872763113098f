// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Topics of Kafka whose records become events. */
public final class SourcesResource extends Resource {
  SourcesResource(Transport transport) {
    super(transport);
  }

  /**
   * List the sources.
   * <p>
   * Oldest first. Credentials are not shown.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Source> list() {
    return list(new ListSourcesOptions());
  }

  /**
   * List the sources.
   * <p>
   * Oldest first. Credentials are not shown.
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
   * Reads topics of Apache Kafka: each record becomes one event, exactly once. It begins within seconds; <code>health</code>
   * says what it found.
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
   * Reads topics of Apache Kafka: each record becomes one event, exactly once. It begins within seconds; <code>health</code>
   * says what it found.
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
   * With its health, as the reader has reported it.
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
   * With its health, as the reader has reported it.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Source get(String id, RequestOptions options) {
    Call call = new Call("GET", "/sources/{id}", id).inWorkspace();
    return transport.request(call, options, Source::fromJson);
  }

  /**
   * Change a source.
   * <p>
   * It reads on where it was, and a topic that is new to it from <code>start</code>. Stored credentials are dropped when the
   * brokers change. A source that has stopped tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source update(String id, UpdateSourceBody body) {
    return update(id, body, new RequestOptions());
  }

  /**
   * Change a source.
   * <p>
   * It reads on where it was, and a topic that is new to it from <code>start</code>. Stored credentials are dropped when the
   * brokers change. A source that has stopped tries again.
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
   * With its position and its rejections. Its events stay.
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
   * With its position and its rejections. Its events stay.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, RequestOptions options) {
    Call call = new Call("DELETE", "/sources/{id}", id).inWorkspace();
    transport.send(call, options);
  }

  /**
   * Move a source in a topic.
   * <p>
   * To an offset or a time. What lies behind it is read again, and becomes new events. A source that has stopped
   * tries again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Source seek(String id, SeekSourceBody body) {
    return seek(id, body, new ChangeOptions());
  }

  /**
   * Move a source in a topic.
   * <p>
   * To an offset or a time. What lies behind it is read again, and becomes new events. A source that has stopped
   * tries again.
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
   * Connects to the brokers, describes the topics and reads one record, without storing it. The answer says what
   * the record means, or why it could not become an event. Once in 5 seconds for a source.
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
   * Connects to the brokers, describes the topics and reads one record, without storing it. The answer says what
   * the record means, or why it could not become an event. Once in 5 seconds for a source.
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
   * List the rejected records of a source.
   * <p>
   * Newest first; the newest 10,000 are kept.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<SourceRejection> listRejections(String id) {
    return listRejections(id, new ListSourceRejectionsOptions());
  }

  /**
   * List the rejected records of a source.
   * <p>
   * Newest first; the newest 10,000 are kept.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<SourceRejection> listRejections(String id, ListSourceRejectionsOptions options) {
    Call call = new Call("GET", "/sources/{id}/rejections", id).inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "rejections", SourceRejection::fromJson);
  }
}
