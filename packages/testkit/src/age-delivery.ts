import { fromId, toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';

/** Moves a delivery to the given age, in the partition of that day. Returns its new id: an id contains its time. */
export async function ageDelivery(
  { db, databaseUrl }: { db: Db; databaseUrl: string },
  deliveryId: string,
  ageMs: number,
): Promise<string> {
  const uuid = fromId('dlv', deliveryId) ?? '';
  const at = new Date(Date.now() - ageMs);
  await withConnection(databaseUrl, (connection) => ensurePartitions(connection, at));
  const time = at.getTime().toString(16).padStart(12, '0');
  const aged = `${time.slice(0, 8)}-${time.slice(8)}${uuid.slice(13)}`;
  await db.$executeRaw`update delivery set id = ${aged}::uuid where id = ${uuid}::uuid`;
  return toId('dlv', aged);
}
