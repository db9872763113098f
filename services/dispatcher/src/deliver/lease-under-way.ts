import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { askForLease, LEASE_MARGIN_SECONDS, msSinceAsked, OFFER_LEFT_SECONDS } from '@posthorn/ledger/lease';
import type { HeldOffer } from '@posthorn/ledger/offer';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

export type LeaseDeps = {
  /** Turns an offer into the lease that a claim would have made. Resolves with whether the offer was still held. */
  leaseOffer: (offer: HeldOffer) => Promise<boolean>;
  clock: Pick<Clock, 'monotonicMs'>;
  logger: Pick<Logger, 'warn'>;
};

/** The lease of a delivery with an attempt in progress. */
export type LeaseUnderWay = {
  /**
   * Checks that a request that begins now ends within the lease, by the endpoint's timeout. `lost`: somebody else has
   * the delivery. `stalled`: the process has paused for longer than the margin of its lease. Rejects while Postgres is
   * away and the offer is about to end.
   */
  beforeSending(): Promise<'held' | 'stalled' | 'lost'>;
  /** Ends the attempt. */
  close(): void;
};

type AskedAt = Pick<ClaimedDelivery, 'askedAtMs' | 'askedAtWallMs'>;

/** After a pause longer than the lease's margin, the lease may end before the attempt does. */
function isStalled(asked: AskedAt, clock: Pick<Clock, 'monotonicMs'>): boolean {
  return msSinceAsked(asked, clock) > 1_000 * LEASE_MARGIN_SECONDS;
}

/** The pause before another try to write the lease. */
const AGAIN_MS = 250;

/**
 * Watches the lease of an attempt. An offer is short: if an attempt is still in progress a second before the offer
 * ends, it gets the lease that a claim would have made. Most attempts end earlier.
 */
export function openLease({ leaseOffer, clock, logger }: LeaseDeps, claim: ClaimedDelivery): LeaseUnderWay {
  const { deliveryId, leaseToken, offerLeftMs } = claim;
  if (offerLeftMs === undefined) {
    return { beforeSending: async () => (isStalled(claim, clock) ? 'stalled' : 'held'), close: () => {} };
  }
  const msUntilWritten = () => offerLeftMs - 1_000 * OFFER_LEFT_SECONDS - msSinceAsked(claim, clock);
  let writing: Promise<boolean> | undefined;
  let asked: AskedAt = claim;
  const write = () => {
    if (writing === undefined) {
      asked = askForLease();
      writing = leaseOffer({ deliveryId, leaseToken }).catch((error: unknown) => {
        writing = undefined;
        throw error;
      });
    }
    return writing;
  };
  const writeInTime = () => {
    write().catch((error: unknown) => {
      logger.warn('the lease of an attempt could not be written yet', errorFields(error));
      if (timer !== undefined) timer = setTimeout(writeInTime, AGAIN_MS);
    });
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(writeInTime, Math.max(0, msUntilWritten()));
  return {
    async beforeSending() {
      if (writing === undefined && msUntilWritten() > 0) return 'held';
      if (!(await write())) return 'lost';
      return isStalled(asked, clock) ? 'stalled' : 'held';
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
