import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

type Events = { workspaceId: string; eventIds: readonly string[] };

/**
 * Forgets the kept answers to the tests among these events: such an answer repeats what the attempt sent and got.
 * It is kept for a day under the `Idempotency-Key` of its request.
 */
export async function forgetTests(
  transaction: Pick<DbTransaction, '$queryRaw' | '$executeRaw' | 'attempt'>,
  { workspaceId, eventIds }: Events,
): Promise<void> {
  if (eventIds.length === 0) return;
  const tests = await transaction.$queryRaw<{ id: string; endpointId: string }[]>`
    select id, endpoint_id as "endpointId" from event
    where ${among('id', eventIds)} and is_test and endpoint_id is not null`;
  if (tests.length === 0) return;
  const deliveryIds = tests.map(({ id, endpointId }) => deliveryIdFor(id, endpointId));
  const where = { deliveryId: { in: deliveryIds } };
  const attempts = await transaction.attempt.findMany({ where, select: { id: true } });
  if (attempts.length === 0) return;
  await transaction.$executeRaw`
    delete from idempotent_answer
    where workspace_id = ${workspaceId}::uuid
      and substring(answer from '"id":"(att_[^"]+)"') = any(${attempts.map(({ id }) => toId('att', id))}::text[])`;
}
