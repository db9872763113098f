import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { countChange, parseChangesPerDay } from './changes-per-day.ts';

let now = new Date('2026-11-25T20:00:00.000Z');
const api = await startApi({
  clock: { now: () => now, monotonicMs: () => performance.now() },
  settings: { CHANGES_PER_DAY: { application: 3, workspace: 0 } },
});
afterAll(() => api.stop());

test('the portals of an application together make as many changes a day as are allowed; others go on', async () => {
  const place = { ...api, expiresAt: new Date('2026-11-27T00:00:00.000Z') };
  const customer = await seedPortal(api.db, place);
  const second = await seedPortal(api.db, { ...place, applicationId: customer.applicationId });
  const other = await seedPortal(api.db, place);
  const portal = ({ portalToken }: { portalToken: string }) =>
    createCaller(api.app, { base: '/api/portal', token: portalToken });
  const [one, two, elsewhere] = [portal(customer), portal(second), portal(other)];
  const operator = createCaller(api.app, { base: api.base, token: api.managementToken });
  const { id } = (await one('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
  const describe = (call: typeof one, text: string) => call('patch', `/endpoints/${id}`, { description: text });
  expect([codeOf(await describe(one, 'a')), codeOf(await describe(two, 'b'))]).toEqual([200, 200]);

  const refused = await describe(two, 'c');

  expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['rate_limited', String(4 * 3_600)]);
  // The refused change has left nothing, and a change that changes nothing does not count.
  expect((await one('get', `/endpoints/${id}`)).body.description).toBe('b');
  expect(codeOf(await describe(one, 'b'))).toBe(200);
  expect(codeOf(await elsewhere('post', '/endpoints', { url: 'https://127.0.0.1/' }))).toBe(201);
  for (const text of ['1', '2', '3', '4']) expect(codeOf(await describe(operator, text))).toBe(200);
  now = new Date('2026-11-26T00:00:00.000Z');
  expect(codeOf(await describe(two, 'c'))).toBe(200);
});

test('a change of patterns counts by the subscriptions that it writes: each hundred as a change more', async () => {
  const place = { ...api, expiresAt: new Date('2026-11-27T00:00:00.000Z') };
  const { portalToken } = await seedPortal(api.db, place);
  const portal = createCaller(api.app, { base: '/api/portal', token: portalToken });
  const workspaceId = uuidOf('ws', api.workspaceId);
  const names = Array.from({ length: 120 }, (_, n) => ({ id: newUuid(new Date()), workspaceId, name: `many.n${n}` }));
  await api.db.eventType.createMany({ data: names });
  const made = await portal('post', '/endpoints', { url: 'https://127.0.0.1/', eventTypes: ['many.*'] });
  expect(codeOf(made)).toBe(201);
  const change = (body: object) => portal('patch', `/endpoints/${made.body.id}`, body);
  // Two of three changes are used. The deletion of 120 subscriptions would count as two more.
  expect(codeOf(await change({ eventTypePatterns: [] }))).toBe('rate_limited');
  expect(codeOf(await change({ description: 'a' }))).toBe(200);
  expect(codeOf(await change({ description: 'b' }))).toBe('rate_limited');
});

test('what counts as no change is possible beyond the limit, such as one that was lowered meanwhile', async () => {
  const holder = { kind: 'agentKey' as const, id: newUuid(new Date()) };
  await inTransaction(api.db, async (transaction) => {
    const made = { holder, now, limits: { workspace: 0, application: 2 } };
    await countChange(transaction, made);
    await countChange(transaction, made);
    const lowered = { ...made, limits: { workspace: 0, application: 1 } };
    await countChange(transaction, { ...lowered, countsAs: 0 });
    await expect(countChange(transaction, lowered)).rejects.toThrow('An agent may make 1 subscriptions a day');
  });
});

test('a value of more than 1 KiB is a digest in the audit log, and a list of ids stays', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  const application = (await call('post', '/applications', { name: 'Large', metadata: { text: 'x'.repeat(400) } }))
    .body;
  const endpoints: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const made = await call('post', `/applications/${application.id}/endpoints`, { url: 'https://127.0.0.1/' });
    expect(made.body).toMatchObject({ id: expect.any(String) });
    endpoints.push(made.body.id);
  }
  const url = `https://127.0.0.1/${'x'.repeat(1_500)}`;
  await call('patch', `/endpoints/${endpoints[0]}`, { url });
  await call('delete', `/applications/${application.id}`);
  const [deleted, changed] = await api.db.auditEntry.findMany({ orderBy: { sequence: 'desc' }, take: 2 });
  expect(changed?.metadata).toMatchObject({
    changes: { url: { to: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: url.length + 2 } } },
  });
  expect(deleted?.metadata).toMatchObject({ changes: { endpoints: { from: [...endpoints].sort(), to: [] } } });
});

test.each(['', '1000', 'application', 'application:-1', 'application:1,application:2', 'portal:1', 'workspace:1:2'])(
  'the setting %j is refused',
  (text) => expect(() => parseChangesPerDay(text)).toThrow('must be a whole number for each'),
);
