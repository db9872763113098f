/**
 * The changes of a workspace in about a fifth of a second. Messages contain only ids, and no other data of a tenant.
 */
export type LiveBatch = {
  workspaceId: string;
  deliveries: { deliveryId: string; endpointId: string }[];
  eventIds: string[];
  /**
   * The number of changes that did not fit into the batch; null if an unknown number of earlier ones did not arrive.
   */
  dropped: number | null;
};

/** Tells listening APIs about changes. A change to which no API listens costs one look-up in a set in memory. */
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
   * Takes one of the streams of a workspace or application, counted across all processes, or keeps it for another 30 s.
   * False if all are taken. Rejects while its server is away.
   */
  takeStream(holderId: string, streamId: string, most: number): Promise<boolean>;
  releaseStream(holderId: string, streamId: string): void;
  close(): void;
};

export type LiveSubscriberOptions = {
  /** Also called without changes if a publisher has ended and its last changes may not have arrived. */
  onBatch: (batch: LiveBatch) => void;
  /** Called when the connection is back. Changes in between were missed. */
  onReconnected: () => void;
};
