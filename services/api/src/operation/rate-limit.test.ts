import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { seedPerson, seedPortal } from '../../test/people.ts';

let api: ApiUnderTest;
let nowMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(), monotonicMs: () => nowMs };
  api = await startApi({ clock, rateLimits: { management: 2, ingest: 3 } });
});
afterAll(() => api.stop());

const get = (path: string, token: string) => request(api.app).get(path).set('authorization', `Bearer ${token}`);
const list = (token: string, base = api.base) => get(`${base}/environments`, token);

type Reply = { status: number; headers: Record<string, string> };
const limitOf = ({ status, headers }: Reply) => [
  status,
  headers['ratelimit-limit'],
  headers['ratelimit-remaining'],
  headers['ratelimit-reset'],
];

async function spend(count: number, once: () => PromiseLike<Reply>): Promise<Reply | undefined> {
  let last: Reply | undefined;
  for (let sent = 0; sent < count; sent += 1) last = await once();
  return last;
}

describe('the limit of a credential', () => {
  test('allows ten seconds’ worth at once, refuses the next request, and refills at its rate', async () => {
    const { managementToken, workspaceId } = await api.seedAnother();
    const once = () => list(managementToken, `/management/v1/workspaces/${workspaceId}`);
    expect(limitOf(await once())).toEqual([200, '20', '19', '1']);
    expect(limitOf(await once())).toEqual([200, '20', '18', '1']);
    const last = await spend(18, once);
    expect(last && limitOf(last)).toEqual([200, '20', '0', '10']);
    const refused = await once();
    expect(limitOf(refused)).toEqual([429, '20', '0', '10']);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toEqual({ error: { code: 'rate_limited', message: expect.stringContaining('2 requests') } });
    nowMs += 499;
    expect((await once()).status).toBe(429);
    nowMs += 2;
    expect((await once()).status).toBe(200);
    expect((await once()).status).toBe(429);
    nowMs += 60_000;
    expect(limitOf(await once())).toEqual([200, '20', '19', '1']);
  });

  test('is its own: another credential of the workspace is not limited', async () => {
    const person = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
    const base = `/api/workspaces/${api.workspaceId}`;
    await spend(20, () => list(person.sessionToken, base));
    expect((await list(person.sessionToken, base)).status).toBe(429);
    expect((await get('/api/auth/me', person.sessionToken)).status).toBe(429);
    expect((await list(api.managementToken)).status).toBe(200);
  });

  test('is in the headers of every answer after authentication, errors included, and of none before', async () => {
    const { portalToken } = await seedPortal(api.db, api);
    const person = await seedPerson(api.db);
    const answers: [number, PromiseLike<Reply>][] = [
      [404, get(`${api.base}/endpoints/unknown`, api.managementToken)],
      [400, get(`${api.base}/endpoints?is_active=perhaps`, api.managementToken)],
      [404, list(api.managementToken, '/management/v1/workspaces/ws_unknown')],
      [404, list(person.sessionToken, `/api/workspaces/${api.workspaceId}`)],
      [200, get('/api/workspaces', person.sessionToken)],
      [200, get('/api/portal/session', portalToken)],
      [404, get('/api/portal/deliveries/unknown', portalToken)],
    ];
    for (const [status, answer] of answers) {
      const reply = await answer;
      expect([reply.status, reply.headers['ratelimit-limit']]).toEqual([status, '20']);
    }
    expect(limitOf(await list('phm_broken'))).toEqual([401, undefined, undefined, undefined]);
  });

  test('of ingestion belongs to a key, with a burst of two seconds’ worth', async () => {
    const ingest = () =>
      request(api.app).post('/api/ingest/event/no.such').set('authorization', `Bearer ${api.apiKey}`).send({});
    expect(limitOf(await ingest())).toEqual([404, '6', '5', '1']);
    await spend(5, ingest);
    const refused = await ingest();
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '1',
    ]);
  });
});

test('docs/interface.md, Agents: each call of a tool counts as one request, and each operation that it asks as another', async () => {
  const { managementToken } = await api.seedAnother();
  const remaining = async (name: string, args: object) => {
    const reply = await request(api.app)
      .post('/mcp')
      .set({ authorization: `Bearer ${managementToken}`, accept: 'application/json, text/event-stream' })
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    expect([reply.status, reply.body.result.isError]).toEqual([200, undefined]);
    return reply.headers['ratelimit-remaining'];
  };
  expect(await remaining('search_docs', { query: 'dead letter' })).toBe('19');
  expect(await remaining('find_events', {})).toBe('17');
});

describe('the limit of a workspace', () => {
  test('is four times that of a credential, however many credentials share it', async () => {
    const workspace = await api.seedAnother();
    const base = `/api/workspaces/${workspace.workspaceId}`;
    const tokens: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
      tokens.push(sessionToken);
    }
    for (const token of tokens.slice(0, 4)) expect((await spend(20, () => list(token, base)))?.status).toBe(200);
    const refused = await list(tokens[4] ?? '', base);
    expect(limitOf(refused)).toEqual([429, '80', '0', '10']);
    expect(refused.body.error).toEqual({ code: 'rate_limited', message: expect.stringContaining('This workspace') });
    expect((await list((await api.seedAnother()).managementToken)).status).not.toBe(429);
  });
});

describe('a batch', () => {
  const send = (apiKey: string, events: number) =>
    request(api.app)
      .post('/api/ingest/batch')
      .set('authorization', `Bearer ${apiKey}`)
      .send({ events: Array.from({ length: events }, () => ({ eventType: 'no.such', data: {} })) });

  test('counts its events', async () => {
    const { apiKey } = await api.seedAnother();
    expect(limitOf(await send(apiKey, 4))).toEqual([202, '6', '2', '2']);
    expect((await send(apiKey, 3)).status).toBe(429);
    expect(limitOf(await send(apiKey, 2))).toEqual([202, '6', '0', '2']);
  });

  test('of any size passes a full bucket, which goes negative', async () => {
    const { apiKey } = await api.seedAnother();
    expect(limitOf(await send(apiKey, 12))).toEqual([202, '6', '0', '4']);
    nowMs += 1_900;
    expect((await send(apiKey, 1)).status).toBe(429);
    nowMs += 500;
    expect((await send(apiKey, 1)).status).toBe(202);
  });
});

test('docs/interface.md, Rate limits: the portal sessions of an application share the limit of one credential, and all portals half of the workspace’s', async () => {
  const { workspaceId, environmentId, managementToken } = await api.seedAnother();
  const [first, another] = await Promise.all([1, 2].map(() => seedPortal(api.db, { workspaceId, environmentId })));
  const second = await seedPortal(api.db, { workspaceId, environmentId, applicationId: first?.applicationId ?? '' });
  const session = (token = '') => get('/api/portal/session', token);
  expect((await spend(12, () => session(first?.portalToken)))?.status).toBe(200);
  expect((await spend(8, () => session(second.portalToken)))?.status).toBe(200);
  const refused = await session(second.portalToken);
  expect(refused.body.error).toEqual({
    code: 'rate_limited',
    message: 'The portal of this application may make 2 requests a second',
  });
  expect(limitOf(refused)).toEqual([429, '20', '0', '10']);
  expect((await session(another?.portalToken)).status).toBe(200);
  // All portals together have half of the workspace's limit.
  const more = await Promise.all([1, 2].map(() => seedPortal(api.db, { workspaceId, environmentId })));
  for (const { portalToken } of more) await spend(10, () => session(portalToken));
  expect((await session(more[1]?.portalToken)).body.error).toMatchObject({
    message: 'The portals of this workspace may make 4 requests a second',
  });
  expect((await list(managementToken, `/management/v1/workspaces/${workspaceId}`)).status).toBe(200);
});

test('a limit of 0 is off: no header, no refusal', async () => {
  const unlimited = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  try {
    const base = `${unlimited.base}/environments`;
    const reply = await request(unlimited.app).get(base).set('authorization', `Bearer ${unlimited.managementToken}`);
    expect(limitOf(reply)).toEqual([200, undefined, undefined, undefined]);
  } finally {
    await unlimited.stop();
  }
});
