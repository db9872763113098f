import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

type Events = {
  workspaceId: string;
  eventIds: readonly string[];
  /** Also forgets answers with the schema faults of a cancelled event. Call this before the faults are erased. */
  withFaults?: boolean;
};

/**
 * Forgets stored answers that repeat erased content of these events, such as the request and response of a test's
 * attempt. Such an answer is stored for a day under the `Idempotency-Key` of its request.
 */
export async function forgetAnswersAbout(
  transaction: Pick<DbTransaction, '$queryRaw' | '$executeRaw' | 'attempt'>,
  { workspaceId, eventIds, withFaults = false }: Events,
): Promise<void> {
  if (eventIds.length === 0) return;
  const events = await transaction.$queryRaw<{ id: string; endpointId: string | null }[]>`
    select id, case when is_test then endpoint_id end as "endpointId" from event
    where ${among('id', eventIds)}
      and (is_test and endpoint_id is not null or ${withFaults}::bool and schema_errors is not null)`;
  if (events.length === 0) return;
  const tests = events.flatMap(({ id, endpointId }) => (endpointId === null ? [] : deliveryIdFor(id, endpointId)));
  const where = { deliveryId: { in: tests } };
  const attempts = await transaction.attempt.findMany({ where, select: { id: true } });
  const ids = [...events.map(({ id }) => toId('msg', id)), ...attempts.map(({ id }) => toId('att', id))];
  // This is the same expression as in the index.
  await transaction.$executeRaw`
    delete from idempotent_answer
    where workspace_id = ${workspaceId}::uuid
      and substring(answer from '"id":"((msg|att)_[^"]{1,64})"') = any(${ids}::text[])`;
}
