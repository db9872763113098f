/** The changes of a workspace in about a fifth of a second. Messages have the ids only, and no other data of a tenant. */
export type LiveBatch = {
  workspaceId: string;
  deliveries: { deliveryId: string; endpointId: string }[];
  eventIds: string[];
  /** The number of changes that found no room in the batch; null when an unknown number before it did not arrive. */
  dropped: number | null;
};

/** Tells the listening APIs what changes. A change for which no API listens costs one read of a set in memory. */
export type LivePublisher = {
  deliveryChanged(delivery: { workspaceId: string; deliveryId: string; endpointId: string }): void;
  eventAccepted(event: { workspaceId: string; eventId: string }): void;
  close(): Promise<void>;
};

export type LiveSubscriber = {
  /** Resolves once the workspace's changes arrive from every process. Rejects while its server is away. */
  subscribe(workspaceId: string): Promise<void>;
  unsubscribe(workspaceId: string): void;
  /**
   * Takes one of the streams of a workspace or application, counted over all processes, or keeps it for another 30 s.
   * False when all are taken. Rejects while its server is away.
   */
  takeStream(holderId: string, streamId: string, most: number): Promise<boolean>;
  releaseStream(holderId: string, streamId: string): void;
  close(): void;
};

export type LiveSubscriberOptions = {
  /** Also called with no changes, when a publisher has ended and its last changes may not have arrived. */
  onBatch: (batch: LiveBatch) => void;
  /** Called when the connection is back: changes in between were missed. */
  onReconnected: () => void;
};
