/** The queue that says: make the deliveries of these events. */
export const FAN_OUT_QUEUE = 'fan-out';

/** A ticket: ids only, because Redis keeps it in clear text. */
export type FanOutJob = { eventIds: string[] };

/** An event to be fanned out, and whose it is. */
export type FanOutTicket = { eventId: string; eventType: string; workspaceId: string };
