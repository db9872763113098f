import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { endSubscriptions } from './agent-subscriptions.ts';
import { claimDeliveries } from './claim.ts';
import { createAndClaim, createPage } from './create.ts';
import { deliveryIdFor } from './delivery-id.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

/** Creates the endpoint of an agent's subscription that expires after this many seconds. */
async function subscribe(expiresInSeconds: number): Promise<EndpointRow> {
  const endpoint = await insertEndpoint(db);
  const { endpointId, workspaceId, environmentId } = endpoint;
  await db.endpoint.update({ where: { id: endpointId }, data: { isTemporary: true } });
  await db.$executeRaw`
    insert into agent_subscription (endpoint_id, workspace_id, environment_id, identity, principal, event_type_id, event_type,
      arguments, url, dialect, expires_at)
    values (${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid, ${`mcs_${endpointId}`}, 'key:1',
      ${endpointId}::uuid, 'order.created', '{}', 'https://agent.test/', 'sketch',
      now() + make_interval(secs => ${expiresInSeconds}::float8))`;
  return endpoint;
}

async function claimOne(endpoint: EndpointRow) {
  const [claim] = await claimDeliveries(db, [await insertDelivery(db, endpoint)], { defaultTimeoutSeconds: 15 });
  return claim;
}

/** The deliveries that a fan-out creates for a new event, with a slot for each. */
async function fanOut(endpoint: EndpointRow) {
  const { endpointId, workspaceId, environmentId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const eventId = lowestKeyAt(new Date()).replace(/0$/, '7');
  await db.event.create({ data: { id: eventId, workspaceId, environmentId, payloadSize: 1, published: true } });
  await db.pendingFanOut.create({ data: { eventId, environmentId } });
  const deliveryId = deliveryIdFor(eventId, endpointId);
  const ids = { deliveryId, eventId, endpointId, workspaceId, environmentId };
  return createAndClaim(db, {
    deliveries: [{ ...ids, eventType: 'order.created', isClaimed: true }],
    events: [ids],
    routingRevisions: new Map([[environmentId, routingRevision]]),
    defaultTimeoutSeconds: 15,
  });
}

/** The rows that a paged fan-out creates. */
async function fanOutWide({ endpointId, workspaceId, environmentId }: EndpointRow) {
  const eventId = lowestKeyAt(new Date());
  await db.pendingFanOut.create({ data: { eventId, environmentId } });
  return createPage(db, {
    deliveries: [{ deliveryId: eventId, eventId, endpointId, workspaceId, environmentId, eventType: 'order.created' }],
    event: { eventId, workspaceId },
    isLast: true,
    isUnmatched: false,
  });
}

test('a claim for a live subscription tells how long it still lives', async () => {
  const claim = await claimOne(await subscribe(60));
  if (claim?.kind !== 'claimed') throw new Error('not claimed');
  expect(claim.lifeMs).toBeGreaterThan(55_000);
  expect(claim.lifeMs).toBeLessThanOrEqual(60_000);
  const other = await claimOne(await insertEndpoint(db));
  expect(other).not.toHaveProperty('lifeMs');
});

test('a subscription that has expired gets no attempt, though nothing has swept it', async () => {
  const endpoint = await subscribe(0);
  expect(await claimOne(endpoint)).toMatchObject({ kind: 'ended', reason: 'subscription_ended' });
  const rows = await db.delivery.findMany({ where: { endpointId: endpoint.endpointId } });
  expect(rows).toMatchObject([{ status: 'failed', failureReason: 'subscription_ended', dueAt: null }]);
});

test('a fan-out makes no delivery for a subscription that has expired', async () => {
  const [expired, live] = [await subscribe(0), await subscribe(60)];
  expect((await fanOut(expired)).deliveryIds.size).toBe(0);
  expect(await fanOutWide(expired)).toEqual([]);
  expect((await fanOut(live)).deliveryIds.size).toBe(1);
  expect(await fanOutWide(live)).toHaveLength(1);
});

test('a delivery for an agent is never born leased: only a claim compares its expiry', async () => {
  const endpoint = await subscribe(60);
  const made = await fanOut(endpoint);
  expect([made.deliveryIds.size, made.claimed]).toEqual([1, []]);
  expect(await db.delivery.findMany({ where: { endpointId: endpoint.endpointId } })).toMatchObject([
    { status: 'pending' },
  ]);
});

test('the end of a subscription ends what waits for it, and is written once', async () => {
  const endpoint = await subscribe(60);
  const condition = Prisma.sql`a.endpoint_id = ${endpoint.endpointId}::uuid`;
  const ended = await endSubscriptions(db, condition, { reason: 'unsubscribed' });
  expect(ended).toMatchObject([{ endpointId: endpoint.endpointId, environmentId: endpoint.environmentId }]);
  expect(await endSubscriptions(db, condition, { reason: 'person' })).toEqual([]);
  expect(await db.agentSubscription.findMany({ where: { endpointId: endpoint.endpointId } })).toMatchObject([
    { endReason: 'unsubscribed', endedAt: expect.any(Date) },
  ]);
  expect(await db.endpoint.findMany({ where: { id: endpoint.endpointId } })).toMatchObject([
    { isActive: false, disabledReason: 'subscription_ended', deletedAt: expect.any(Date) },
  ]);
  expect(await claimOne(endpoint)).toMatchObject({ kind: 'ended', reason: 'subscription_ended' });
});

test('an end that a person makes is to be told to the callback, signed by its live secrets; other ends are not', async () => {
  const [ended, left, lapsed] = [await subscribe(60), await subscribe(60), await subscribe(0)];
  const secretOf = async ({ endpointId }: EndpointRow, expiresAt: Date | null) => {
    const id = randomUUID();
    await db.signingSecret.create({ data: { id, endpointId, sealed: Buffer.from(id), expiresAt } });
    return id;
  };
  const live = await secretOf(ended, null);
  await secretOf(ended, new Date(0));
  for (const one of [left, lapsed]) await secretOf(one, null);
  const end = ({ endpointId }: EndpointRow, reason: 'person' | 'unsubscribed') =>
    endSubscriptions(db, Prisma.sql`a.endpoint_id = ${endpointId}::uuid`, { reason });
  await end(ended, 'person');
  await end(left, 'unsubscribed');
  await end(lapsed, 'person');
  const told = await db.outgoingTermination.findMany();
  expect(told).toMatchObject([{ endpointId: ended.endpointId, secretIds: [live], attempts: 0 }]);
  expect(told[0]?.secrets.map((sealed) => Buffer.from(sealed).toString())).toEqual([live]);
  await db.agentSubscription.delete({ where: { endpointId: ended.endpointId } });
  expect(await db.outgoingTermination.count()).toBe(0);
});

describe('among the subscriptions of many tenants', () => {
  beforeAll(async () => {
    await db.$executeRaw`
      insert into agent_subscription (endpoint_id, workspace_id, environment_id, application_id, identity, principal,
        event_type_id, event_type, arguments, url, dialect, expires_at, ended_at)
      select gen_random_uuid(), md5('w' || n % 100)::uuid, md5('e' || n % 100)::uuid, md5('a' || n % 500)::uuid, 'mcs_' || n,
        'key:' || n % 500, md5('t' || n % 500)::uuid, 'order.created', '{}', 'https://agent.test/' || n, 'sketch',
        now() + n * interval '1 minute', case when n % 4 = 0 then now() end
      from generate_series(1, 10000) n`;
    await db.$executeRaw`analyze agent_subscription`;
  });

  test.each([
    [
      'a.environment_id = $1 and a.principal = $2 and hashtextextended(a.url, 0) = hashtextextended($2, 0)',
      /_callback_idx/,
    ],
    ['a.identity = $2 and a.workspace_id = $1', /_every_identity_idx/],
    ['a.event_type_id = $1 and a.ended_at is null', /_event_type_idx/],
    ['a.application_id = $1 and a.ended_at is null and a.expires_at > now()', /_application_live_idx/],
    ['a.workspace_id = $1 and a.ended_at is null and a.expires_at > now()', /_workspace_live_idx/],
  ])('an index leads to those with %s', async (condition, index) => {
    const plan = await inTransaction(db, async (transaction) => {
      await transaction.$executeRaw`set local plan_cache_mode = force_generic_plan`;
      await transaction.$executeRaw(
        Prisma.raw(`prepare asked(uuid, text) as
        select from agent_subscription a where $1 is not null and $2 is not null and ${condition}`),
      );
      const rows = await transaction.$queryRaw<object[]>(Prisma.raw(`explain execute asked('${randomUUID()}', 'x')`));
      await transaction.$executeRaw`deallocate asked`;
      return JSON.stringify(rows);
    });
    expect(plan).toMatch(index);
    expect(plan).not.toContain('Seq Scan');
  });
});
