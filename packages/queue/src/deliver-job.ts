/** The queue that says: look at this delivery now. */
export const DELIVER_QUEUE = 'deliver';

/** A ticket: ids only. The event's id goes along so that its partition is found without a look at the delivery. */
export type DeliverJob = {
  deliveryId: string;
  eventId: string;
  /** Whose turn it is, so that fairness is decided before the database is asked. */
  endpointId: string;
  workspaceId: string;
  /** Set for a row that lost leases in a row: it is to be claimed with no other of its kind in the process. */
  alone?: boolean;
  /** The time that the endpoint's rate limit has set aside for it, by Redis' clock: it is not charged again. */
  reservedAtMs?: number;
};

export type DeliveryTicket = DeliverJob & {
  /** The row's generation: a live job's id is never taken for a new due time. */
  generation: number;
  /** How far ahead the row is due; 0 is now. */
  delayMs: number;
  /**
   * Set when the ticket rung for this generation is held by nobody, as after a worker died or Redis cut its answer off:
   * BullMQ takes such a job for a live one for up to 15 s. Equal rounds are one ticket.
   */
  round?: number;
  /** It goes before all that waits: its turn was long ago. */
  first?: boolean;
};

/** BullMQ ignores a second job of the same id while the first lives; ids hold no colon and are not only digits. */
export function deliverJobId({ deliveryId, generation, round }: DeliveryTicket): string {
  return round === undefined ? `${deliveryId}-${generation}` : `${deliveryId}-${generation}-${round}`;
}
