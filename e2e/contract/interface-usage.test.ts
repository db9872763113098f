import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { countUsage } from '@posthorn/ledger/count-usage';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
let receiver: Receiver;
let workspace: Workspace;
let answers: number[];
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(() => ({ status: answers.shift() ?? 200 }));
  service = await startService({ dispatchers: 1 });
  workspace = await service.another();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

async function makeCustomer(name: string) {
  const externalId = unique('customer_');
  const { body } = await workspace.manage('POST', '/applications', { name, externalId });
  const eventType = unique('invoice.paid_');
  await workspace.make('/event-types', { name: eventType, publishIn: [workspace.environmentId] });
  await workspace.make(`/applications/${body.id}/endpoints`, {
    url: `${receiver.url}hook`,
    environmentId: workspace.environmentId,
    eventTypes: [eventType],
    config: { retrySchedule: [1, 1] },
  });
  return { id: String(body.id), externalId, eventType };
}

/** Sends an event, and waits until it is delivered. */
async function deliver(customer: { id: string; eventType: string }, body: string): Promise<string> {
  const sent = await workspace.ingest(`event/${customer.eventType}`, body, {
    'content-type': 'application/json',
    'x-application-id': customer.id,
  });
  const id = String(sent.body.id);
  await waitFor(
    async () => (await workspace.manage('GET', `/events/${id}/deliveries`)).body.deliveries[0]?.status === 'delivered',
    { what: 'the delivery of the event' },
  );
  return id;
}

const usageOf = async (id: string, query = '') => {
  const { body } = await workspace.manage('GET', `/usage?application_id=${id}${query}`);
  return body.usage.map((row: Record<string, unknown>) => [
    row.events,
    row.deliveries,
    row.attempts,
    row.bytes,
    row.name,
  ]);
};
/** Counts everything that has been stored until now. Nothing is under way. */
const count = () => countUsage(service.stack.db, { lagMs: 0 });

test('docs/interface.md, Usage: events, deliveries, attempts and bytes of each customer are exact, after retries and erasures, too', async () => {
  const [acme, globex] = [await makeCustomer('ACME'), await makeCustomer('Globex')];
  answers = [500, 503];
  const retried = await deliver(acme, '{"amount":1}');
  await deliver(acme, '[1]');
  await deliver(globex, '22');
  expect((await workspace.manage('DELETE', `/events/${retried}/payload`)).status).toBe(204);
  const erasure = await workspace.manage('POST', '/erasures', { applicationId: globex.id });
  await waitFor(
    async () => (await workspace.manage('GET', `/operations/${erasure.body.id}`)).body.status === 'completed',
    { what: 'the end of the erasure' },
  );
  await count();
  expect(await usageOf(acme.id)).toEqual([[2, 2, 4, 15, 'ACME']]);
  expect(await usageOf(globex.id)).toEqual([[1, 1, 1, 2, 'Erased']]);
  expect((await workspace.manage('DELETE', `/applications/${acme.id}`)).status).toBe(204);
  await count();
  expect(await usageOf(acme.id, '&step=day')).toEqual([[2, 2, 4, 15, 'ACME']]);
});

type Day = { day: string; events: number };

/** Inserts usage of earlier days, in the form in which the count stores it. */
async function insertUsage(applicationId: string, days: Day[]): Promise<void> {
  const [workspaceId, id] = [fromId('ws', workspace.workspaceId) ?? '', fromId('app', applicationId) ?? ''];
  const rest = { deliveries: 2, attempts: 3, bytes: 4 };
  await service.stack.db.applicationUsage.createMany({
    data: days.map(({ day, events }) => ({ workspaceId, applicationId: id, day: new Date(day), events, ...rest })),
  });
}

test('docs/interface.md, Usage: days and months are in UTC, and only the present ones are provisional', async () => {
  const customer = await makeCustomer('Initech');
  await insertUsage(customer.id, [
    { day: '2026-09-30', events: 1 },
    { day: '2026-10-01', events: 10 },
    { day: '2026-10-31', events: 100 },
    { day: '2026-11-01', events: 1_000 },
  ]);
  const read = async (query: string) => {
    const { body } = await workspace.manage('GET', `/usage?application_id=${customer.id}&${query}`);
    return { ...body, rows: body.usage.map((row: Record<string, unknown>) => [row.from, row.to, row.events]) };
  };
  const months = await read('from=2026-09-15T12:00:00Z&to=2026-10-31T23:30:00-01:00');
  expect([months.from, months.to]).toEqual(['2026-09-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']);
  expect(months.rows).toEqual([
    ['2026-09-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', 1],
    ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 110],
    ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', 1_000],
  ]);
  const days = await read('step=day&from=2026-10-31T00:00:00Z&to=2026-11-01T00:00:00Z');
  expect(days.rows).toEqual([['2026-10-31T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 100]]);

  await service.stack.db.usageCount.updateMany({ data: { countedTo: new Date('2026-10-31T23:59:59.999Z') } });
  const provisional = async () =>
    (await read('from=2026-09-01T00:00:00Z&to=2026-11-01T00:00:00Z')).usage.map(
      (row: Record<string, unknown>) => row.provisional,
    );
  expect(await provisional()).toEqual([false, true]);
  await service.stack.db.usageCount.updateMany({ data: { countedTo: new Date('2026-11-01T00:00:00Z') } });
  expect(await provisional()).toEqual([false, false]);
});

test('docs/interface.md, Usage: as CSV a page is a table that no spreadsheet takes for formulas, and a Link leads to the next', async () => {
  const customer = await makeCustomer('=HYPERLINK("https://evil.example","x")');
  await insertUsage(customer.id, [
    { day: '2026-09-30', events: 1 },
    { day: '2026-10-01', events: 7 },
  ]);
  const ask = (query: string) =>
    service.send('GET', `${workspace.m}/usage?application_id=${customer.id}&from=2026-09-01T00:00:00Z${query}`, {
      token: workspace.managementToken,
      headers: { accept: 'text/csv' },
    });
  const reply = await ask('&to=2026-11-01T00:00:00Z&limit=1');
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.text).toBe(
    'from,to,application_id,external_id,name,events,deliveries,attempts,bytes,provisional\r\n' +
      `"2026-09-01T00:00:00.000Z","2026-10-01T00:00:00.000Z","${customer.id}","${customer.externalId}",` +
      `"'=HYPERLINK(""https://evil.example"",""x"")",1,2,3,4,"false"\r\n`,
  );
  const cursor = /cursor=([^&>]+)/.exec(reply.headers.get('link') ?? '')?.[1];
  const next = await ask(`&to=2026-11-01T00:00:00Z&limit=1&cursor=${cursor}`);
  expect(next.text.split('\r\n')[1]).toContain(',7,2,3,4,');
  expect(next.headers.get('link')).toBeNull();
});

test('docs/interface.md, Usage: pages have each customer and month once', async () => {
  const customers = [await makeCustomer('One'), await makeCustomer('Two'), await makeCustomer('Three')];
  for (const { id } of customers) {
    await insertUsage(id, [
      { day: '2026-07-01', events: 1 },
      { day: '2026-07-31', events: 1 },
      { day: '2026-08-01', events: 1 },
    ]);
  }
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `from=2026-07-01T00:00:00Z&to=2026-09-01T00:00:00Z&limit=2${cursor && `&cursor=${cursor}`}`;
    const { body } = await workspace.manage('GET', `/usage?${query}`);
    seen.push(...body.usage.map((row: Record<string, unknown>) => `${row.applicationId} ${row.from} ${row.events}`));
    cursor = body.nextCursor;
  }
  const expected = customers.flatMap(({ id }) => [
    `${id} 2026-07-01T00:00:00.000Z 2`,
    `${id} 2026-08-01T00:00:00.000Z 1`,
  ]);
  expect(seen).toEqual(expected);
});

test('docs/interface.md, Usage: a query that cannot be answered names the field, and a viewer reads in the dashboard', async () => {
  for (const [query, field] of [
    ['from=2026-10-01T00:00:00Z&to=2026-10-01T00:00:00Z', 'query.from'],
    ['from=2024-10-01T00:00:00Z&to=2026-10-01T00:00:00Z', 'query.from'],
    ['to=9999-12-15T00:00:00Z', 'query.to'],
    [`to=${encodeURIComponent('0000-01-01T00:00:00+14:00')}`, 'query.to'],
    ['step=hour', 'query.step'],
    ['group_by=endpoint', 'query.group_by'],
    ['limit=1001', 'query.limit'],
    ['month=10', 'query.month'],
  ]) {
    const reply = await workspace.manage('GET', `/usage?${query}`);
    expect([codeOf(reply), reply.body.error.details?.[0]?.field]).toEqual(['validation_error', field]);
  }
  expect(codeOf(await workspace.manage('GET', '/usage?application_id=ext:nobody'))).toBe('not_found');
  const viewer = await workspace.sessionOf('viewer');
  expect((await workspace.dashboard(viewer, 'GET', '/usage')).status).toBe(200);
});
