import type { Db } from '@posthorn/db/client';
import { type Claim, type ClaimRequest, claimDeliveries } from '@posthorn/ledger/claim';
import { type Defer, type Deferred, deferDeliveries } from '@posthorn/ledger/defer';
import { type UnwrittenRow, writeUnderWay } from '@posthorn/ledger/unwritten';
import { createBatcher } from '@posthorn/runtime/batch';

/** Batches the ledger's calls that need no retry. */
export function createLedgerBatches(db: Db, options: { defaultTimeoutSeconds: number }) {
  return {
    claim: createBatcher<ClaimRequest, Claim>({
      run: (requests) => claimDeliveries(db, requests, options),
      maxItems: 100,
      maxInFlight: 2,
    }),
    writeUnderWay: createBatcher<UnwrittenRow, void>({
      async run(rows) {
        await writeUnderWay(db, rows);
        return rows.map(() => undefined);
      },
      maxItems: 100,
      maxInFlight: 1,
    }),
    // Deferrals run in one batch at a time, so that they do not slow down claims and settles.
    defer: createBatcher<Defer, Deferred | undefined>({
      run: (deliveries) => deferDeliveries(db, deliveries),
      maxItems: 200,
      maxInFlight: 1,
    }),
  };
}
