// Consumers that wait for something to fetch are woken by a message with the ids of endpoints, and of nothing else. A
// message that is lost delays a consumer until the API looks by itself.

export type PullWaker = {
  /** Wakes the consumers of these endpoints, wherever they wait. It never throws, and is never awaited. */
  wake(endpointIds: Iterable<string>): void;
  close(): Promise<void>;
};

export type PullListener = {
  /** Begins to listen, if it does not yet. It never throws. */
  listen(): void;
  close(): void;
};

export type PullListenerOptions = {
  onWake: (endpointIds: readonly string[]) => void;
  /** Called when the connection is there: earlier messages were missed. */
  onConnected: () => void;
};
