import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createDb } from '@posthorn/db/client';
import { migrate } from '@posthorn/db/migrate';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase, onServer } from '@posthorn/testkit/database';
import { claimDeliveries } from './claim.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { settleDeliveries } from './settle.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const ORDERED_DELIVERY = '20261122230000_ordered_delivery';

test('the migration takes over the open ordered deliveries of an earlier version: heads, those that wait, and their order', async () => {
  const earlier = mkdtempSync(join(tmpdir(), 'posthorn-migrations-'));
  const template = await createTestDatabase();
  const name = `upgrade_${process.pid}`;
  const databaseUrl = Object.assign(new URL(template.databaseUrl), { pathname: `/${name}` }).href;
  await onServer(template.databaseUrl, `create database "${name}"`);
  const db = createDb({ databaseUrl, maxConnections: 2, onIdleError: () => {} });
  try {
    for (const one of readdirSync(MIGRATIONS)) {
      if (one < ORDERED_DELIVERY || one === 'migration_lock.toml')
        cpSync(join(MIGRATIONS, one), join(earlier, one), { recursive: true });
    }
    await migrate({ databaseUrl, migrationsDirectory: earlier });
    // Uses that version's statements, because the client knows columns that the version does not have.
    const [workspaceId, environmentId, endpointId] = [randomUUID(), randomUUID(), randomUUID()];
    await db.$executeRaw`
      insert into workspace (id, name, slug, plan) values (${workspaceId}::uuid, 'Acme', 'acme', 'pro')`;
    await db.$executeRaw`
      insert into environment (id, workspace_id, name, slug)
      values (${environmentId}::uuid, ${workspaceId}::uuid, 'Production', 'production')`;
    await db.$executeRaw`
      insert into endpoint (id, workspace_id, environment_id, url, is_fifo)
      values (${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid, 'https://receiver.test/', true)`;
    const made = ['a', 'a', 'a', 'b', 'ended'].map((orderingKey, n) => {
      return { id: deliveryIdFor(lowestKeyAt(new Date()), randomUUID()), orderingKey, n };
    });
    for (const { id, orderingKey, n } of made) {
      await db.$executeRaw`
        insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, ordering_key,
          ordering_number)
        values (${id}::uuid, ${id}::uuid, ${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid,
          'order.created', now(), ${orderingKey}, ${n + 1})`;
    }
    await db.$executeRaw`update delivery set status = 'failed', due_at = null where ordering_key = 'ended'`;
    await migrate({ databaseUrl, migrationsDirectory: MIGRATIONS });
    const places = () => db.orderedDelivery.findMany({ orderBy: [{ orderingKey: 'asc' }, { position: 'asc' }] });
    const placed = async () =>
      (await places()).map(({ deliveryId, position }) => [made.findIndex(({ id }) => id === deliveryId), position]);
    expect(await placed()).toEqual([0, 1, 2, 3].map((n) => [n, n === 1 || n === 2 ? BigInt(n + 1) : 0n]));
    const head = made[0]?.id ?? '';
    const request = { deliveryId: head, eventId: head, endpointId };
    const [claimed] = await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 });
    if (claimed?.kind !== 'claimed') throw new Error(`not claimed: ${claimed?.kind}`);
    const [settled] = await settleDeliveries(db, [{ ...claimed, attempt: null, next: { status: 'delivered' } }]);
    expect(settled).toMatchObject({ follower: { deliveryId: made[1]?.id } });
    expect(await placed()).toEqual([
      [1, 0n],
      [2, 3n],
      [3, 0n],
    ]);
  } finally {
    await db.$disconnect();
    await onServer(template.databaseUrl, `drop database "${name}" with (force)`);
    await template.drop();
    rmSync(earlier, { recursive: true, force: true });
  }
});
