import { fromId, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, parseSealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { inTransaction } from '@posthorn/db/transaction';

/**
 * Makes an event and its deliveries older by `ageMs`, in the partitions of that day, due times included. Returns the
 * event's new id: an id contains its time. `sealingKeys` is the services' setting; it is needed because a payload is
 * sealed for its event's id.
 */
export async function ageEvent(
  { db, databaseUrl }: { db: Db; databaseUrl: string },
  { eventId, ageMs, sealingKeys }: { eventId: string; ageMs: number; sealingKeys: string },
): Promise<string> {
  const id = fromId('msg', eventId) ?? '';
  const old = aged(id, ageMs);
  await withConnection(databaseUrl, (connection) => ensurePartitions(connection, new Date(Date.now() - ageMs)));
  const { payload } = await db.event.findUniqueOrThrow({ where: { id } });
  const keys = parseSealingKeys(sealingKeys);
  const opened = open(keys, payload ?? Buffer.alloc(0), sealContext.payload(id));
  if (opened.kind !== 'opened') throw new Error(`the payload of ${eventId} does not open`);
  const sealed = seal(keys, opened.plaintext, sealContext.payload(old));
  const deliveries = await db.delivery.findMany({ where: { eventId: id }, select: { id: true } });
  await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`update event set id = ${old}::uuid, payload = ${sealed} where id = ${id}::uuid`;
    for (const delivery of deliveries) {
      await transaction.$executeRaw`
        update delivery set id = ${aged(delivery.id, ageMs)}::uuid, event_id = ${old}::uuid,
          due_at = due_at - make_interval(secs => ${ageMs / 1_000}::float8)
        where id = ${delivery.id}::uuid`;
    }
  });
  return toId('msg', old);
}

function aged(uuid: string, ageMs: number): string {
  const time = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) - ageMs;
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${uuid.slice(13)}`;
}
