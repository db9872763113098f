package io.posthorn;

/** The operations of one kind of objects. */
public abstract class Resource {
  final Transport transport;

  Resource(Transport transport) {
    this.transport = transport;
  }
}
