import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Limits } from '@posthorn/ingest/quota-limits';
import type { Clock } from '@posthorn/runtime/clock';
import { byOperator } from '../audit/by-operator.ts';
import { diff, writeEntry } from '../audit/change.ts';
import { lockWorkspace } from './lock.ts';

/** The limits to set: null for the default of the plan, 0 for no limit; undefined leaves a limit as it is. */
export type NewLimits = { [name in keyof Limits]?: number | null | undefined };

/**
 * Sets the quotas of one workspace as its operator, with an audit entry, and returns what it has now. Throws when no
 * workspace has the slug. It takes effect within a second.
 */
export async function setQuotasByOperator(
  db: Db,
  { slug, limits, clock }: { slug: string; limits: NewLimits; clock: Clock },
) {
  return inTransaction(db, async (transaction) => {
    const found = await transaction.workspace.findUnique({ where: { slug }, select: { id: true } });
    if (found === null) throw new Error(`no workspace has the slug ${slug}`);
    await lockWorkspace(transaction, found.id);
    const before = await transaction.workspace.findUniqueOrThrow({ where: { id: found.id } });
    const former = {
      eventsPerDay: shown(before.eventsPerDay),
      bytesKept: shown(before.bytesKept),
      attemptBytesKept: shown(before.attemptBytesKept),
    };
    const {
      eventsPerDay = former.eventsPerDay,
      bytesKept = former.bytesKept,
      attemptBytesKept = former.attemptBytesKept,
    } = limits;
    const present = { eventsPerDay, bytesKept, attemptBytesKept };
    const changes = diff(former, present);
    if (Object.keys(changes).length > 0) {
      await transaction.workspace.update({ where: { id: before.id }, data: present });
      const entry = { resourceId: toId('ws', before.id), changes };
      await writeEntry(transaction, { workspaceId: before.id, ...byOperator(clock) }, 'workspace.updated', entry);
    }
    return { workspaceId: toId('ws', before.id), ...present };
  });
}

function shown(limit: bigint | null): number | null {
  return limit === null ? null : Number(limit);
}
