package io.posthorn;

/** The options of a call that creates or changes something. */
public final class ChangeOptions extends KeyedOptions<ChangeOptions> {}
