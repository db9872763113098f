import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { erasureBody } from '@posthorn/contract/erasures';
import { fromId } from '@posthorn/contract/ids';
import { bulkFilter, recoverBody } from '@posthorn/contract/operations';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Service, startService, type Workspace } from './service.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(() => ({ status: 500 }));
  service = await startService({ dispatchers: 1 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const ahead = () => ago(-3_600_000);

type Place = {
  workspace: Workspace;
  ids: Record<'environmentId' | 'endpointId' | 'applicationId' | 'eventType', string>;
};
type Values = Record<string, unknown>;

/**
 * A workspace with a customer whose only endpoint refuses its requests, and another endpoint that gets the same events.
 */
async function makePlace(retrySchedule: number[]): Promise<Place> {
  const workspace = await service.another();
  const applicationId = await workspace.make('/applications', { name: 'Acme' });
  const route = await workspace.makeRoute(receiver.url, { config: { retrySchedule } });
  const { environmentId } = workspace;
  const given = { url: receiver.url, environmentId, config: { retrySchedule } };
  const endpointId = await workspace.make(`/applications/${applicationId}/endpoints`, given);
  await workspace.manage('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [route.eventTypeId] });
  return { workspace, ids: { environmentId, endpointId, applicationId, eventType: route.eventType } };
}

/** Every attempt fails. Without this, the breaker would open, and an operation would wait for its probes. */
const closeBreakers = ({ workspace }: Place) =>
  service.stack.db.endpointHealth.deleteMany({
    where: { endpoint: { workspaceId: fromId('ws', workspace.workspaceId) ?? '' } },
  });

/** Sends an event to both endpoints, or only to the customer's, and waits until its deliveries have this status. */
async function refuse(place: Place, status: string, ofCustomer = false) {
  const { workspace, ids } = place;
  const { eventType, applicationId } = ids;
  await closeBreakers(place);
  const headers = ofCustomer ? { 'x-application-id': applicationId } : undefined;
  const sent = await workspace.ingest(`event/${eventType}`, {}, headers);
  expect(sent.status).toBe(202);
  const eventId = fromId('msg', sent.body.id) ?? '';
  const where = { eventId, status: status as 'dead_letter' };
  await waitFor(async () => (await service.stack.db.delivery.count({ where })) === (ofCustomer ? 1 : 2), {
    what: `deliveries that are ${status}`,
  });
}

/** Checks that `values` has a value for each field of the schema. Each value must match something. */
function valuesOf(schema: { shape: object }, values: Values): Values {
  const fields = Object.keys(schema.shape).filter((name) => name !== 'dryRun');
  expect(Object.keys(values).sort()).toEqual(fields.sort());
  return values;
}

/** Each field alone, with the `required` ones, and then the combinations of fields in `together`. */
function* aloneAndTogether(values: Values, required: string[], together: string[][]): Generator<Values> {
  const pick = (names: string[]) => Object.fromEntries([...names, ...required].map((name) => [name, values[name]]));
  for (const name of Object.keys(values)) yield pick([name]);
  for (const names of together) yield pick(names);
}

/** The count of the dry run, and the outcome of the operation. */
async function runToEnd(place: Place, path: string, bodyOf: (dryRun: boolean) => object) {
  const { workspace } = place;
  await closeBreakers(place);
  const dry = await workspace.manage('POST', path, bodyOf(true));
  const started = await workspace.manage('POST', path, bodyOf(false));
  expect([dry.status, started.status]).toEqual([200, 202]);
  const ended = await waitFor(
    async () => {
      const { body } = await workspace.manage('GET', `/operations/${started.body.id}`);
      return body.finishedAt === null ? undefined : body;
    },
    { what: `the end of ${path} ${JSON.stringify(bodyOf(false))}`, timeoutMs: 20_000 },
  );
  return { dry: dry.body.matched, ended: { status: ended.status, matched: ended.matched, error: ended.error } };
}

async function everyFilter(place: Place, path: string, filters: Iterable<Values>, given: (filter: Values) => object) {
  for (const filter of filters) {
    const { dry, ended } = await runToEnd(place, path, (dryRun) => ({ ...given(filter), dryRun }));
    expect({ filter, ...ended }).toEqual({ filter, status: 'completed', matched: dry, error: null });
    expect(dry).toBeGreaterThan(0);
  }
}

const bulkValues = ({ ids: { eventType, ...ids } }: Place, status: string): Values =>
  valuesOf(bulkFilter, {
    ...ids,
    ...{ environment_id: ids.environmentId, endpoint_id: ids.endpointId },
    ...{
      eventTypes: [eventType],
      event_type: eventType,
      statuses: [status],
      status,
      from: ago(3_600_000),
      to: ahead(),
    },
  });
const FORMER = ['environment_id', 'endpoint_id', 'event_type', 'status'];
const TODAY = ['environmentId', 'endpointId', 'applicationId', 'eventTypes', 'statuses', 'from', 'to'];

async function retries() {
  const place = await makePlace([]);
  await refuse(place, 'dead_letter');
  const filters = aloneAndTogether(bulkValues(place, 'dead_letter'), [], [TODAY, FORMER]);
  await everyFilter(place, '/deliveries/retry', filters, (filter) => ({ filter }));
}

async function cancels() {
  const place = await makePlace([3_600]);
  for (const filter of aloneAndTogether(bulkValues(place, 'scheduled_retry'), [], [TODAY, FORMER])) {
    await refuse(place, 'scheduled_retry');
    await everyFilter(place, '/deliveries/cancel', [filter], () => ({ filter }));
  }
}

async function recoveries() {
  const place = await makePlace([]);
  await refuse(place, 'dead_letter');
  const { endpointId, eventType } = place.ids;
  const [from, to] = [ago(3_600_000), ahead()];
  const statusClass = ['5xx'];
  const given = { since: from, until: to, from, to, mode: 'all', eventTypes: [eventType], statusClass };
  const values = valuesOf(recoverBody, given);
  const both = Object.keys(values).filter((name) => name !== 'from' && name !== 'to');
  const filters = aloneAndTogether(values, ['mode'], [both]);
  const path = `/endpoints/${endpointId}/recover`;
  // `since` or `from` is required.
  await everyFilter(place, path, filters, (filter) => ({ ...(filter.from ? {} : { since: from }), ...filter }));
}

async function erasures() {
  const place = await makePlace([]);
  const { applicationId, eventType } = place.ids;
  const values = valuesOf(erasureBody, { applicationId, eventTypes: [eventType], from: ago(3_600_000), to: ahead() });
  // The erasure without other filters comes last.
  const filters = [...aloneAndTogether(values, ['applicationId'], [Object.keys(values)])].reverse();
  for (const filter of filters) {
    await refuse(place, 'dead_letter', true);
    // An event without a type, sent only to the customer's endpoint.
    const direct = await place.workspace.ingest(place.ids.endpointId, {});
    expect(direct.status).toBe(202);
    // An erasure finds it by its delivery.
    const eventId = fromId('msg', direct.body.id) ?? '';
    await waitFor(async () => (await service.stack.db.delivery.count({ where: { eventId } })) === 1, {
      what: 'the delivery of the event without a type',
    });
    await everyFilter(place, '/erasures', [filter], () => filter);
  }
}

test('docs/interface.md, Operation: every field of every filter, alone and together, runs an operation to its end', async () => {
  const ends = await Promise.allSettled([retries(), cancels(), recoveries(), erasures()]);
  expect(ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))).toEqual([]);
}, 180_000);
