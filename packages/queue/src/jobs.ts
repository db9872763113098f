/** The queue of jobs that create the deliveries of events. */
export const FAN_OUT_QUEUE = 'fan-out';
/** The queue of jobs with deliveries that were created on acceptance of their events. */
export const HAND_OVER_QUEUE = 'hand-over';
/** The queue of jobs that attempt deliveries. */
export const DELIVER_QUEUE = 'deliver';
/** The queue of jobs for which an API request waits: tests and examinations of an endpoint. */
export const PROBE_QUEUE = 'probe';

/** Events of one group match the same endpoints. */
export type EventGroup = {
  workspaceId: string;
  environmentId: string;
  /** Empty for a direct event, which names its endpoint and has no type. */
  eventType: string;
  /** Set if the event is for the endpoints of one application only. */
  applicationId: string | null;
  /** The events have ordering keys. Each is fanned out after the earlier events of its key. */
  isOrdered?: true;
};

/** The data of a fan-out job: only ids and names of event types, because Redis keeps job data in clear text. */
export type FanOutJob = {
  groups: (EventGroup & { eventIds: string[] })[];
  mode?: FanOutMode;
  /**
   * The job has a lower priority than single events (`priority.ts`), because its workspace or event type has many
   * events in this second.
   */
  isOfFlood?: true;
};

/**
 * `isolated`: an earlier fan-out of the event failed, perhaps by ending the process, or its filters take long. It is
 * fanned out alone, one such event at a time. `suspect`: the events were enqueued often. Their rows are marked before
 * their fan-out begins. An event whose fan-out does not end keeps the mark, and is isolated the next time.
 */
export type FanOutMode = 'isolated' | 'suspect';

/** An event to fan out. */
export type FanOutRequest = EventGroup & { eventId: string; mode?: FanOutMode };

/**
 * The data of a hand-over job: new deliveries, and the lease with which a process that takes the job may attempt them
 * at once. Without a lease, the deliveries are due, and must be claimed.
 */
export type HandOverJob = { deliveries: NewDeliveryIds[]; leaseToken?: string };

export type NewDeliveryIds = Pick<DeliverJob, 'deliveryId' | 'eventId' | 'endpointId' | 'workspaceId'>;

/** The new deliveries of an event. */
export type HandOverRequest = {
  workspaceId: string;
  /** Empty for a direct event. */
  eventType: string;
  deliveries: readonly NewDeliveryIds[];
  /** Set for a call in the same process, never in a job. */
  content?: HandedContent | undefined;
};

/** All that the attempts of new deliveries need, so that they read nothing. */
export type HandedContent = {
  /** `performance.now()` and the host's wall clock, before the deliveries were offered. */
  askedAtMs: number;
  askedAtWallMs: number;
  eventType: string | null;
  idempotencyKey: string | null;
  contentType: string | null;
  /** The sealed payload; null for an empty body. */
  payload: Uint8Array | null;
  hasOneAttempt: boolean;
  /** The revision of each delivery's endpoint, by delivery id. */
  revisions: ReadonlyMap<string, string>;
};

/**
 * The data of a deliver job: ids only. The event's id gives the partition without reading the delivery. The ids of
 * endpoint and workspace allow admission before any query.
 */
export type DeliverJob = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  /**
   * `expired_lease`: the delivery's lease has expired, so the job runs before all waiting jobs. `isolated`: the
   * delivery lost several leases in a row and may end its process, so a process attempts such deliveries one at a time.
   */
  mode?: DeliverMode;
  /**
   * An operation has enqueued the delivery, and it has not been attempted since. New deliveries of its endpoint go
   * first.
   */
  recovered?: true;
};

export type DeliverMode = 'expired_lease' | 'isolated';

/** A delivery to attempt. */
export type DeliverRequest = DeliverJob & {
  /** The row's generation. It increases whenever the due time changes, so that the new job has a new id. */
  generation: number;
  /** Milliseconds until the row is due; 0 is now. */
  delayMs: number;
  /**
   * Makes the job's id differ from an earlier job of this generation that will never run. Jobs with the same round are
   * one job.
   */
  round?: number;
};

/**
 * The task of a probe: send the delivery of a test, examine an endpoint, send a challenge to an agent's callback, whose
 * endpoint does not exist yet, read a public document by URL, or read a record of a source without storing it. `sealed`
 * is the challenge in base64, bound to the endpoint's id.
 */
export type ProbeTask =
  | { kind: 'test'; deliveryId: string; eventId: string; endpointId: string; workspaceId: string }
  | { kind: 'doctor'; endpointId: string; workspaceId: string }
  | { kind: 'challenge'; endpointId: string; workspaceId: string; sealed: string }
  | { kind: 'document'; url: string; workspaceId: string }
  | { kind: 'source'; sourceId: string; workspaceId: string };

/** The data of a probe job: ids, and sealed values. */
export type ProbeJob = ProbeTask & {
  /** Identifies the request that waits for the reply. */
  probeId: string;
  /** The channel on which that request's API process listens. */
  replyTo: string;
  /**
   * Milliseconds since 1970 on Postgres' clock. A job must not begin after `beginsByMs`, and must end by `endsByMs`.
   */
  beginsByMs: number;
  endsByMs: number;
};
