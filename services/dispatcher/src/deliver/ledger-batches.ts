import type { Db } from '@posthorn/db/client';
import { type Claim, type ClaimRequest, claimDeliveries } from '@posthorn/ledger/claim';
import { type HandBack, type HandedBack, handBackDeliveries } from '@posthorn/ledger/hand-back';
import { type Moved, type PutOff, putOffDeliveries } from '@posthorn/ledger/put-off';
import { createBatcher } from '@posthorn/runtime/batch';

/** The ledger's calls, coalesced. */
export function createLedgerBatches(db: Db, options: { defaultTimeoutSeconds: number }) {
  return {
    claim: createBatcher<ClaimRequest, Claim>({
      run: (requests) => claimDeliveries(db, requests, options),
      maxItems: 100,
      maxInFlight: 2,
    }),
    handBack: createBatcher<HandBack, HandedBack | undefined>({
      run: (leases) => handBackDeliveries(db, leases),
      maxItems: 200,
      maxInFlight: 2,
    }),
    // One at a time: what waits must not take the database from what is sent.
    putOff: createBatcher<PutOff, Moved | undefined>({
      run: (deliveries) => putOffDeliveries(db, deliveries),
      maxItems: 200,
      maxInFlight: 1,
    }),
  };
}
