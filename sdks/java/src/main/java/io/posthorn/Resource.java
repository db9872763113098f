package io.posthorn;

/** The operations of one kind of object. */
public abstract class Resource {
  final Transport transport;

  Resource(Transport transport) {
    this.transport = transport;
  }
}
