// Wakes consumers that wait for something to fetch. A message has only ids of endpoints. A lost message delays a
// consumer until the API looks by itself.

export type PullWaker = {
  /** Wakes the consumers of these endpoints, wherever they wait. It never throws, and is never awaited. */
  wake(endpointIds: Iterable<string>): void;
  close(): Promise<void>;
};

export type PullListener = {
  /** Starts listening, unless it already does. It never throws. */
  listen(): void;
  close(): void;
};

export type PullListenerOptions = {
  onWake: (endpointIds: readonly string[]) => void;
  /** Called when the connection is ready. Earlier messages were missed. */
  onConnected: () => void;
};
