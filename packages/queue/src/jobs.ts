/** The queue of jobs that make the deliveries of events. */
export const FAN_OUT_QUEUE = 'fan-out';
/** The queue of jobs that attempt deliveries. */
export const DELIVER_QUEUE = 'deliver';

/** Events of one group go to the same endpoints. */
export type EventGroup = {
  workspaceId: string;
  environmentId: string;
  eventType: string;
  /** Set when the event is for one application's endpoints only. */
  applicationId: string | null;
};

/** The data of a fan-out job: ids and names of event types. Redis keeps job data in clear text. */
export type FanOutJob = {
  groups: (EventGroup & { eventIds: string[] })[];
  /** The events failed to be fanned out before, perhaps by ending the process: each is made alone, one at a time. */
  mode?: 'isolated';
};

/** An event to be fanned out. */
export type FanOutRequest = EventGroup & { eventId: string; mode?: 'isolated' };

/**
 * The data of a deliver job. Ids only. The event's id finds its partition without a look at the delivery; endpoint and
 * workspace let admission decide before the database is asked.
 */
export type DeliverJob = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  /**
   * `expired_lease`: the delivery's lease has run out, so it goes before all jobs that wait. `isolated`: it lost several
   * leases in a row and may end its process, so it is claimed with no other of its kind in the process.
   */
  mode?: DeliverMode;
  /** The time that the endpoint's rate limit has reserved for it, by Redis' clock: it is not charged again. */
  reservedAtMs?: number;
};

export type DeliverMode = 'expired_lease' | 'isolated';

/** A delivery to be attempted. */
export type DeliverRequest = DeliverJob & {
  /** The row's generation. It rises whenever the due time moves, so a new job is never taken for an earlier one. */
  generation: number;
  /** Milliseconds until the row is due; 0 is now. */
  delayMs: number;
  /** Makes the id differ from an earlier job of this generation that nothing will run. Equal rounds are one job. */
  round?: number;
};

/** BullMQ ignores a second job of the same id while the first exists. Ids hold no colon and are not only digits. */
export function deliverJobId({ deliveryId, generation, round }: DeliverRequest): string {
  return round === undefined ? `${deliveryId}-${generation}` : `${deliveryId}-${generation}-${round}`;
}
