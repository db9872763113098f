/** How soon dispatchers take hand-over jobs. */
export type Takers =
  /** A dispatcher is there, and few jobs wait: a lease of seconds is still good when its job is taken. */
  | 'ready'
  /** A dispatcher is there, but many jobs wait, or their number has not been read for a second. */
  | 'behind'
  /**
   * Redis is away, or no dispatcher was seen for 5 s. One of an earlier version does not show itself. So it is, too, while
   * many jobs wait and others are there: all of them fan events out.
   */
  | 'none';

/**
 * Endpoints that answer slowly and have no free slot in a dispatcher, and the milliseconds in which one of their slots becomes
 * free.
 */
export type SlowEndpoints = ReadonlyMap<string, number>;

const LEAST_ROOM_SHARE = 1 / 16;

/** Whether a dispatcher has room for offers. With less, deliveries are due, and any dispatcher takes them. */
export const takesOffers = (freeSlots: number, slotCount: number): boolean =>
  freeSlots >= Math.max(1, slotCount * LEAST_ROOM_SHARE);
