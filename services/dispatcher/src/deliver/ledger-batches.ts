import type { Db } from '@posthorn/db/client';
import { type Claim, type ClaimRequest, claimDeliveries, type TakeOver } from '@posthorn/ledger/claim';
import { type Defer, type Deferred, deferDeliveries } from '@posthorn/ledger/defer';
import { type HeldOffer, leaseOffers } from '@posthorn/ledger/offer';
import { createBatcher } from '@posthorn/runtime/batch';

export type LedgerBatchOptions = {
  defaultTimeoutSeconds: number;
  /** Which ended leases a claim takes over; all of them by default. */
  takeOver?: () => TakeOver;
  /** Called with the number of rows that a statement has claimed. */
  onClaimed?: (rows: number) => void;
};

/** Batches the ledger's calls that need no retry. */
export function createLedgerBatches(db: Db, { takeOver, onClaimed, ...options }: LedgerBatchOptions) {
  return {
    claim: createBatcher<ClaimRequest, Claim>({
      async run(requests) {
        const claims = await claimDeliveries(db, requests, { ...options, ...(takeOver && { takeOver: takeOver() }) });
        onClaimed?.(claims.filter(({ kind }) => kind === 'claimed').length);
        return claims;
      },
      maxItems: 100,
      maxInFlight: 2,
    }),
    leaseOffer: createBatcher<HeldOffer, boolean>({
      run: (offers) => leaseOffers(db, offers, options),
      maxItems: 100,
      maxInFlight: 1,
    }),
    // Deferrals run one batch at a time, so that they do not slow down claims and settles.
    defer: createBatcher<Defer, Deferred | undefined>({
      run: (deliveries) => deferDeliveries(db, deliveries),
      maxItems: 200,
      maxInFlight: 1,
    }),
  };
}
