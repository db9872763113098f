/** How soon dispatchers take hand-over jobs. */
export type Takers =
  /** There is a dispatcher, and few jobs wait, so a lease of seconds is still valid when its job is taken. */
  | 'ready'
  /** There is a dispatcher, but many jobs wait, or their number has not been read for a second. */
  | 'behind'
  /**
   * Redis is away, or no dispatcher was seen for 5 s. A dispatcher of an earlier version does not show itself. Also
   * used while many jobs wait and there are such dispatchers, because all of them fan events out.
   */
  | 'none';

/**
 * The endpoints that answer slowly and have no free slot in a dispatcher, with the interval in milliseconds at which
 * one of their slots becomes free.
 */
export type SlowEndpoints = ReadonlyMap<string, number>;

const LEAST_ROOM_SHARE = 1 / 16;

/** Whether a dispatcher has room for offers. If not, deliveries are due instead, and any dispatcher takes them. */
export const takesOffers = (freeSlots: number, slotCount: number): boolean =>
  freeSlots >= Math.max(1, slotCount * LEAST_ROOM_SHARE);
