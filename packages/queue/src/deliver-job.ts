/** The queue that says: look at this delivery now. */
export const DELIVER_QUEUE = 'deliver';

/** A ticket: ids only. The event's id goes along so that its partition is found without a look at the delivery. */
export type DeliverJob = {
  deliveryId: string;
  eventId: string;
  /** Set for a row that lost leases in a row: it is to be claimed with no other of its kind in the process. */
  alone?: boolean;
};

export type DeliveryTicket = DeliverJob & {
  /** The row's generation: a live job's id is never taken for a new due time. */
  generation: number;
  /** How far ahead the row is due; 0 is now. */
  delayMs: number;
};

/** BullMQ ignores a second job of the same id while the first lives; ids hold no colon and are not only digits. */
export function deliverJobId(ticket: DeliveryTicket): string {
  return `${ticket.deliveryId}-${ticket.generation}`;
}
