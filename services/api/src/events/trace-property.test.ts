import { afterAll, expect, test } from '@jest/globals';
import type { SkipReason } from '@posthorn/contract/events';
import { newUuid, toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import fc from 'fast-check';
import { startApi } from '../../test/api-under-test.ts';
import { managementCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

// The reference: the set-up as one value, changed step by step, from which the outcome of each event is computed at its
// fan-out. The product instead reconstructs the set-up from its tables when everything is over.

type Endpoint = { id: string; application: number | null; active: boolean; deleted: boolean; subscribed: Set<number> };
type Model = { endpoints: Endpoint[]; published: Set<number> };

type Change =
  | { kind: 'create'; application: number | null; active: boolean }
  | { kind: 'subscribe' | 'unsubscribe'; endpoint: number; type: number }
  | { kind: 'publish' | 'unpublish'; type: number }
  | { kind: 'activate' | 'deactivate' | 'delete'; endpoint: number };
type Step = Change | { kind: 'event'; type: number; application: number | null; meanwhile: Change[] };

const small = fc.nat(3);
const application = fc.option(fc.nat(1));
const type = fc.nat(1);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), application, active: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('subscribe' as const, 'subscribe', 'unsubscribe'), endpoint: small, type }),
  fc.record({ kind: fc.constantFrom('publish' as const, 'publish', 'unpublish'), type }),
  fc.record({ kind: fc.constantFrom('activate' as const, 'deactivate', 'delete'), endpoint: small }),
);
const event = fc.record({
  kind: fc.constant('event' as const),
  type,
  application,
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Change[]>([]) },
    { weight: 1, arbitrary: fc.array(change, { maxLength: 3 }) },
  ),
});
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: event }), {
  minLength: 6,
  maxLength: 16,
});

test('the trace of an event equals the decisions at its fan-out, for 200 random set-ups that keep changing', async () => {
  const given = fc.sample(steps, { numRuns: 200, seed: 17 });
  const runOn = async () => {
    for (let next = given.pop(); next !== undefined; next = given.pop()) await isTracedAsItWas(next);
  };
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(runOn));
}, 180_000);

async function isTracedAsItWas(given: Step[]): Promise<void> {
  const world = await newWorld();
  const model: Model = { endpoints: [], published: new Set() };
  const begin: Step[] = [
    { kind: 'create', application: null, active: true },
    { kind: 'create', application: 0, active: true },
    { kind: 'publish', type: 0 },
    { kind: 'subscribe', endpoint: 0, type: 0 },
    { kind: 'subscribe', endpoint: 1, type: 0 },
  ];
  const expected = new Map<string, { matched: string[]; skipped: Record<string, SkipReason> }>();
  for (const step of [...begin, ...given]) {
    if (step.kind !== 'event') {
      await world.apply(model, step);
      continue;
    }
    const published = model.published.has(step.type);
    const deletedBefore = new Set(model.endpoints.filter((one) => one.deleted).map(({ id }) => id));
    await nextMillisecond();
    const id = await world.accept(step, published);
    await nextMillisecond();
    // An unpublished event is decided at once: it is never fanned out.
    const reference = () => outcomeOf(model, step, { accepted: published, deletedBefore });
    if (!published) expected.set(id, reference());
    for (const one of step.meanwhile) await world.apply(model, one);
    if (!published) continue;
    // If a change is closer to the fan-out, the answers before and after it are both right.
    const from = Date.now();
    if (step.meanwhile.length > 0) await waitFor(async () => Date.now() > from + 600, { what: 'a late fan-out' });
    const outcome = reference();
    expected.set(id, outcome);
    await world.fanOut(id, outcome.matched);
    await nextMillisecond();
  }
  for (const [id, outcome] of expected) expect(await world.trace(id)).toEqual(outcome);
}

/** Independent of the product: what becomes of an event with each endpoint that has existed since its acceptance. */
function outcomeOf(
  { endpoints, published }: Model,
  sent: { type: number; application: number | null },
  { accepted, deletedBefore }: { accepted: boolean; deletedBefore: Set<string> },
) {
  const outcome = { matched: [] as string[], skipped: {} as Record<string, SkipReason> };
  for (const one of endpoints.filter(({ id }) => !deletedBefore.has(id))) {
    const failed = [
      [!(accepted && published.has(sent.type)), 'event_type_not_published'],
      [one.deleted, 'endpoint_deleted'],
      [sent.application !== null && one.application !== sent.application, 'other_application'],
      [!one.subscribed.has(sent.type), 'not_subscribed'],
      [!one.active, 'endpoint_inactive'],
    ] as const;
    const reason = failed.find(([holds]) => holds)?.[1];
    if (reason === undefined) outcome.matched.push(one.id);
    else outcome.skipped[one.id] = reason;
  }
  outcome.matched.sort();
  return outcome;
}

/** A workspace whose tables are changed directly, as fast as possible; its traces are read over HTTP. */
async function newWorld() {
  const { db } = api;
  const seeded = await api.seedAnother();
  const [workspaceId, environmentId] = [uuidOf('ws', seeded.workspaceId), uuidOf('env', seeded.environmentId)];
  const call = managementCaller(api.app, seeded);
  const [types, applications] = [newIds(2), newIds(2)];
  await db.eventType.createMany({ data: types.map((id, n) => ({ id, workspaceId, name: `type.n${n}` })) });
  await db.application.createMany({ data: applications.map((id) => ({ id, workspaceId, name: 'Customer' })) });
  return {
    async apply(model: Model, step: Change): Promise<void> {
      switch (step.kind) {
        case 'create': {
          const id = newUuid(new Date());
          const applicationId = step.application === null ? null : (applications[step.application] ?? null);
          const data = { id, workspaceId, environmentId, applicationId, url: 'https://127.0.0.1/' };
          await db.endpoint.create({ data });
          if (!step.active) await setActive(id, false);
          const { application, active } = step;
          model.endpoints.push({ id, application, active, deleted: false, subscribed: new Set() });
          return;
        }
        case 'publish':
        case 'unpublish': {
          const data = { environmentId, eventTypeId: types[step.type] ?? '' };
          if (step.kind === 'publish') await db.publishedEventType.createMany({ data, skipDuplicates: true });
          else await db.publishedEventType.deleteMany({ where: data });
          model.published[step.kind === 'publish' ? 'add' : 'delete'](step.type);
          return;
        }
        default:
          return applyToEndpoint(model, step);
      }
    },
    async accept({ type, application }: { type: number; application: number | null }, published: boolean) {
      const id = newUuid(new Date());
      const applicationId = application === null ? null : (applications[application] ?? null);
      const row = { id, workspaceId, environmentId, applicationId, eventType: `type.n${type}` };
      await db.event.create({ data: { ...row, payloadSize: 0, published } });
      if (published) await db.pendingFanOut.create({ data: { eventId: id } });
      else await db.unmatchedEvent.create({ data: { eventId: id, workspaceId } });
      return id;
    },
    fanOut: (id: string, endpointIds: string[]) => fanOutTo(db, id, endpointIds),
    async trace(id: string) {
      const { body } = await call('get', `/events/${toId('msg', id)}/trace?limit=100`);
      const outcome = { matched: [] as string[], skipped: {} as Record<string, SkipReason> };
      for (const entry of body.endpoints) {
        if (entry.reason === null) outcome.matched.push(uuidOf('ep', entry.endpointId));
        else outcome.skipped[uuidOf('ep', entry.endpointId)] = entry.reason;
      }
      outcome.matched.sort();
      expect([body.matched, body.skipped]).toEqual([outcome.matched.length, Object.keys(outcome.skipped).length]);
      return outcome;
    },
  };

  async function applyToEndpoint(model: Model, step: Exclude<Change, { kind: 'create' | 'publish' | 'unpublish' }>) {
    const endpoint = model.endpoints[step.endpoint % model.endpoints.length];
    if (endpoint === undefined || endpoint.deleted) return;
    const { id } = endpoint;
    switch (step.kind) {
      case 'subscribe': {
        const data = { id: newUuid(new Date()), endpointId: id, eventTypeId: types[step.type] ?? '' };
        await db.subscription.createMany({ data, skipDuplicates: true });
        endpoint.subscribed.add(step.type);
        return;
      }
      case 'unsubscribe':
        await db.subscription.deleteMany({ where: { endpointId: id, eventTypeId: types[step.type] ?? '' } });
        endpoint.subscribed.delete(step.type);
        return;
      case 'activate':
      case 'deactivate': {
        const active = step.kind === 'activate';
        if (endpoint.active !== active) await setActive(id, active);
        endpoint.active = active;
        return;
      }
      case 'delete':
        // As `deleteEndpoints` does it.
        await db.endpoint.updateMany({ where: { id }, data: { deletedAt: new Date(), isActive: false } });
        await db.subscription.deleteMany({ where: { endpointId: id } });
        endpoint.deleted = true;
    }
  }

  async function setActive(id: string, isActive: boolean): Promise<void> {
    const data = isActive ? { isActive, disabledAt: null } : { isActive, disabledAt: new Date() };
    await db.endpoint.updateMany({ where: { id }, data });
  }
}

function newIds(count: number): string[] {
  return Array.from({ length: count }, () => newUuid(new Date()));
}

/** Times of events are in milliseconds: a change within the same one may count as earlier or as later. */
async function nextMillisecond(): Promise<void> {
  const from = Date.now();
  await waitFor(() => Date.now() > from + 1, { what: 'the next millisecond' });
}
