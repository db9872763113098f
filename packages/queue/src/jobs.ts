/** The queue of jobs that make the deliveries of events. */
export const FAN_OUT_QUEUE = 'fan-out';
/** The queue of jobs with deliveries that were made where their events were accepted. */
export const HAND_OVER_QUEUE = 'hand-over';
/** The queue of jobs that attempt deliveries. */
export const DELIVER_QUEUE = 'deliver';
/** The queue of jobs that a request to the API waits for: tests and examinations of an endpoint. */
export const PROBE_QUEUE = 'probe';

/** Events of one group match the same endpoints. */
export type EventGroup = {
  workspaceId: string;
  environmentId: string;
  /** Empty for a direct event: it names its endpoint and has no type. */
  eventType: string;
  /** Set when the event is for the endpoints of one application only. */
  applicationId: string | null;
  /** The events have ordering keys: each is fanned out after the earlier events of its key. */
  isOrdered?: true;
};

/** The data of a fan-out job: ids and names of event types. Redis keeps job data in clear text. */
export type FanOutJob = {
  groups: (EventGroup & { eventIds: string[] })[];
  mode?: FanOutMode;
  /**
   * The job has a lower priority than single events (`priority.ts`): its workspace or event type has many events in this
   * second.
   */
  isOfFlood?: true;
};

/**
 * `isolated`: an earlier fan-out of the event failed, perhaps by ending the process, or its filters take long. It is
 * fanned out by itself, one at a time. `suspect`: the events were enqueued often. Their rows are marked before their
 * fan-out begins. An event whose fan-out does not end keeps the mark, and is isolated the next time.
 */
export type FanOutMode = 'isolated' | 'suspect';

/** An event to be fanned out. */
export type FanOutRequest = EventGroup & { eventId: string; mode?: FanOutMode };

/**
 * The data of a hand-over job: new deliveries, and the lease under which whoever takes the job may attempt them at once.
 * Without a lease, the deliveries are due, and are claimed.
 */
export type HandOverJob = { deliveries: NewDeliveryIds[]; leaseToken?: string };

export type NewDeliveryIds = Pick<DeliverJob, 'deliveryId' | 'eventId' | 'endpointId' | 'workspaceId'>;

/** The new deliveries of an event. */
export type HandOverRequest = {
  workspaceId: string;
  /** Empty for a direct event. */
  eventType: string;
  deliveries: readonly NewDeliveryIds[];
  /** For a call in the same process. No job has it. */
  content?: HandedContent | undefined;
};

/** Everything that the attempts of new deliveries need, so that they read nothing. */
export type HandedContent = {
  /** `performance.now()`, and the wall clock of the host, before the deliveries were offered. */
  askedAtMs: number;
  askedAtWallMs: number;
  eventType: string | null;
  idempotencyKey: string | null;
  contentType: string | null;
  /** Sealed; null for an empty body. */
  payload: Uint8Array | null;
  hasOneAttempt: boolean;
  /** The revision of the endpoint of each delivery, by the delivery's id. */
  revisions: ReadonlyMap<string, string>;
};

/**
 * The data of a deliver job: ids only. The event's id gives the partition without a read of the delivery. The ids of
 * endpoint and workspace make admission possible before any query.
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
  /** An operation has enqueued it, and it was not attempted since. New deliveries of its endpoint are sent first. */
  recovered?: true;
};

export type DeliverMode = 'expired_lease' | 'isolated';

/** A delivery to be attempted. */
export type DeliverRequest = DeliverJob & {
  /** The row's generation. It rises whenever the due time changes, so that the new job has a new id. */
  generation: number;
  /** Milliseconds until the row is due; 0 is now. */
  delayMs: number;
  /**
   * Makes the id differ from an earlier job of this generation that will never run. Jobs with equal rounds are one job.
   */
  round?: number;
};

/**
 * The task of a probe: sends the delivery of a test, examines an endpoint, sends a challenge to the callback of an agent, whose
 * endpoint does not exist yet, reads a public document by its URL, or reads a record of a source without storing it. `sealed` is the challenge, in base64: it is bound to the
 * endpoint's id.
 */
export type ProbeTask =
  | { kind: 'test'; deliveryId: string; eventId: string; endpointId: string; workspaceId: string }
  | { kind: 'doctor'; endpointId: string; workspaceId: string }
  | { kind: 'challenge'; endpointId: string; workspaceId: string; sealed: string }
  | { kind: 'document'; url: string; workspaceId: string }
  | { kind: 'source'; sourceId: string; workspaceId: string };

/** The data of a probe job: ids, and what is sealed. */
export type ProbeJob = ProbeTask & {
  /** Names the request that waits for the reply. */
  probeId: string;
  /** The channel on which the API process of that request listens. */
  replyTo: string;
  /** Milliseconds since 1970, by Postgres' clock: a job is not begun after `beginsByMs`, and must end by `endsByMs`. */
  beginsByMs: number;
  endsByMs: number;
};
