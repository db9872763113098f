import type { SealingKeys } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import type { CancelledDelivery } from '@posthorn/ledger/cancel';
import { type HeadRequest, headsOf, type Order, toRequests } from '@posthorn/ledger/ordering';
import type { RetriedDelivery } from '@posthorn/ledger/retry-deliveries';
import type { Part, Step } from './part.ts';
import type { Turn } from './turn.ts';

// The input and the results of the steps of all operations.

export type Stepped =
  | {
      kind: 'stepped';
      step: Step;
      enqueue: RetriedDelivery[];
      cancelled: CancelledDelivery[];
      /** The heads that follow cancelled ones. They are not part of the operation. */
      released: HeadRequest[];
    }
  /** The operation cannot continue. */
  | { kind: 'failed'; error: string };

export type StepInput = {
  turn: Turn;
  part: Part;
  /** The number of deliveries that the endpoint has room for. */
  room: number;
  /** The end of the retention. */
  oldest: Date;
  /** Decrypts the payloads for the filters of missed events. */
  keys: SealingKeys;
};

/** The heads that follow cancelled heads. */
export async function headsBehind(
  transaction: DbTransaction,
  cancelled: readonly CancelledDelivery[],
): Promise<HeadRequest[]> {
  const orders = cancelled.flatMap(({ endpointId, orderingKey, wasDue }): Order[] =>
    orderingKey !== null && wasDue ? [{ endpointId, orderingKey }] : [],
  );
  return toRequests(await headsOf(transaction, orders));
}
