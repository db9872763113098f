package io.posthorn;

/** The options of a call that takes no others. */
public final class RequestOptions extends Options<RequestOptions> {}
