import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPortal } from '../../test/people.ts';

let api: ApiUnderTest;
let call: Caller;
beforeAll(async () => {
  const settings = { ENDPOINT_TYPES: ['webhook', 'playground'] };
  api = await startApi({ rateLimits: { management: 0, ingest: 0 }, settings });
  call = managementCaller(api.app, api);
});
afterAll(() => api.stop());

const create = (body: object = {}) => call('post', '/endpoints', { type: 'playground', ...body });

test('a playground gets its URL from the service, and a secret like any other endpoint', async () => {
  const { status, body } = await create({ config: { playground: { status: 503, failFirst: 2 } } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    type: 'playground',
    url: `https://playground.invalid/${body.id}`,
    secret: expect.stringMatching(/^whsec_/),
    config: { playground: { status: 503, failFirst: 2 } },
  });
});

test('a URL for a playground is refused, when it is created and when it is changed; another endpoint needs one', async () => {
  const messages = [];
  const { id } = (await create()).body;
  for (const reply of [
    await create({ url: 'https://example.com/' }),
    await call('patch', `/endpoints/${id}`, { url: 'https://example.com/' }),
    await call('post', '/endpoints', {}),
    await call('post', '/endpoints', { type: 'telegram', url: 'https://example.com/' }),
  ]) {
    messages.push([codeOf(reply), reply.body.error?.message]);
  }
  expect(messages).toEqual([
    ['validation_error', 'url of a playground is given by the service'],
    ['validation_error', 'url of a playground is given by the service'],
    ['validation_error', 'url is required'],
    ['validation_error', expect.stringMatching(/^type must be webhook, playground, pull, .* or \w+$/)],
  ]);
});

describe('config.playground', () => {
  test.each([
    [{ status: 199 }, 'config.playground.status must be 200 to 599'],
    [{ status: 600 }, 'config.playground.status must be 200 to 599'],
    [{ delayMs: 10_001 }, 'config.playground.delayMs must be 0 to 10,000'],
    [{ failFirst: 21 }, 'config.playground.failFirst must be 0 to 20'],
    [{ failFirst: 1.5 }, 'config.playground.failFirst must be a whole number'],
  ])('%j is refused', async (playground, message) => {
    const reply = await create({ config: { playground } });
    expect([codeOf(reply), reply.body.error?.message]).toEqual(['validation_error', message]);
  });
});

test('an environment has at most 20 playgrounds, however many are created at once', async () => {
  const another = await api.seedAnother();
  const foreign = managementCaller(api.app, another);
  const replies = await Promise.all(
    Array.from({ length: 24 }, () => foreign('post', '/endpoints', { type: 'playground' })),
  );
  expect(tally(replies.map(codeOf))).toEqual({ 201: 20, limit_reached: 4 });
  expect((await foreign('post', '/endpoints', { url: 'https://example.com/' })).status).toBe(201);
});

test('one portal creates at most 2 of the playgrounds of an environment, all portals 10, and the workspace has the rest', async () => {
  const another = await api.seedAnother();
  const base = `/management/v1/workspaces/${another.workspaceId}`;
  const own = createCaller(api.app, { base, token: another.managementToken });
  const portals: Caller[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { portalToken } = await seedPortal(api.db, another);
    portals.push(createCaller(api.app, { base: '/api/portal', token: portalToken }));
  }
  const inEach = (some: readonly Caller[]) =>
    Promise.all(some.map(async (visit) => codeOf(await visit('post', '/endpoints', { type: 'playground' }))));
  const [last, ...others] = portals;
  expect(tally(await inEach([...others, ...others, ...others]))).toEqual({ 201: 10, limit_reached: 5 });
  expect(await inEach(last === undefined ? [] : [last])).toEqual(['limit_reached']);
  const ofWorkspace = Array.from({ length: 11 }, () => own);
  expect(tally(await inEach(ofWorkspace))).toEqual({ 201: 10, limit_reached: 1 });
});
