package io.posthorn;

/** The options that every call takes. */
public final class RequestOptions extends Options<RequestOptions> {}
