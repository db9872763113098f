import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';

let api: ApiUnderTest;
let now = new Date('2026-10-31T23:59:59.000Z');
beforeAll(async () => {
  api = await startApi({ clock: { now: () => now, monotonicMs: () => performance.now() } });
});
afterAll(() => api.stop());

const get = (path: string, accept = 'application/json') =>
  request(api.app).get(path).set('authorization', `Bearer ${api.managementToken}`).set('accept', accept);

async function insertCustomer({ name, days }: { name: string; days: string[] }): Promise<void> {
  const [workspaceId, applicationId] = [fromId('ws', api.workspaceId) ?? '', newUuid(new Date())];
  await api.db.application.create({ data: { id: applicationId, workspaceId, name } });
  await api.db.applicationUsage.createMany({
    data: days.map((day) => ({
      ...{ workspaceId, applicationId, day: new Date(day) },
      ...{ events: 1, deliveries: 2, attempts: 3, bytes: 4 },
    })),
  });
}

test.each(['month', 'day'])('a list by %s goes on by its Link when the month ends between two pages', async (step) => {
  now = new Date('2026-10-31T23:59:59.000Z');
  for (const name of ['Acme', 'Globex']) await insertCustomer({ name, days: ['2026-10-31', '2026-11-01'] });
  const path = `${api.base}/usage?step=${step}&limit=1`;
  const first = await get(path);
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? '';
  const { pathname, search } = new URL(link, `http://localhost${path}`);
  now = new Date('2026-11-01T00:00:01.000Z');
  const second = await get(pathname + search);
  expect([second.status, second.body.from, second.body.to]).toEqual([200, first.body.from, first.body.to]);
  const rows = [...first.body.usage, ...second.body.usage];
  expect(rows.map((row) => [row.name, row.to])).toEqual([
    ['Acme', '2026-11-01T00:00:00.000Z'],
    ['Globex', '2026-11-01T00:00:00.000Z'],
  ]);
  await api.db.applicationUsage.deleteMany();
});

test('in the CSV no part of a name is a formula, also where a semicolon separates cells', async () => {
  await insertCustomer({ name: 'Shop;=1+1;"=1+1; @SUM(A1);a=b', days: ['2026-10-01'] });
  const span = 'from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z';
  const { text } = await get(`${api.base}/usage?${span}`, 'text/csv');
  expect(text).toContain(`,"Shop;'=1+1;'""=1+1;' @SUM(A1);a=b",1,2,3,4,`);
});

test('a span is rounded to whole months in every year, also before the year 100', async () => {
  const ask = async (from: string, to: string) => (await get(`${api.base}/usage?from=${from}&to=${to}`)).body;
  expect(await ask('0099-12-15T00:00:00Z', '0100-01-15T00:00:00Z')).toMatchObject({
    from: '0099-12-01T00:00:00.000Z',
    to: '0100-02-01T00:00:00.000Z',
    usage: [],
  });
  const distant = await ask('0050-01-01T00:00:00Z', '0100-01-01T00:00:00Z');
  expect(distant.error.message).toBe('from and to must be at most 430 days apart');
  const none = await ask('0000-05-01T00:00:00Z', '0000-06-01T00:00:00Z');
  expect(none.error.message).toBe('from and to must be in the years 1 to 9999');
});
