import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 }, maxEndpointsPerWorkspace: 520 });
afterAll(() => api.stop());

let call: Caller;

async function inNewWorkspace() {
  const workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  return workspace;
}

/** Inserts endpoints directly into the table, with a config of 8 KiB each. */
async function insert(
  count: number,
  { workspaceId, environmentId }: { workspaceId: string; environmentId: string },
  applicationId?: string,
) {
  const rows = Array.from({ length: count }, () => ({
    id: newUuid(new Date()),
    workspaceId: uuidOf('ws', workspaceId),
    environmentId: uuidOf('env', environmentId),
    applicationId: applicationId === undefined ? null : uuidOf('app', applicationId),
    url: 'https://127.0.0.1/',
    config: { note: 'x'.repeat(8_000) },
  }));
  await api.db.endpoint.createMany({ data: rows });
}

const ids = (reply: request.Response): string[] => reply.body.map((one: { id: string }) => one.id);

describe('a workspace with 500 endpoints', () => {
  let all: string[];
  beforeAll(async () => {
    await insert(500, await inNewWorkspace());
    all = ids(await call('get', '/endpoints'));
  });

  test('is listed completely in one array, each endpoint once, oldest first', () => {
    expect([all.length, new Set(all).size]).toEqual([500, 500]);
    expect(all).toEqual([...all].sort());
  });

  test('is read in pages: other requests are answered meanwhile', async () => {
    let listed = false;
    const list = call('get', '/endpoints').then((reply) => {
      listed = true;
      return reply;
    });
    let others = 0;
    while (!listed) {
      await request(api.app).get('/healthz').expect(200);
      others += 1;
    }
    expect((await list).body).toHaveLength(500);
    expect(others).toBeGreaterThanOrEqual(5);
  });

  test('with limit is read by following the Link header, each endpoint once, in the same order', async () => {
    const walked: string[] = [];
    for (let path: string | undefined = '/endpoints?limit=60&is_active=true'; path !== undefined; ) {
      const reply: request.Response = await call('get', path).expect(200);
      walked.push(...ids(reply));
      path = /^<endpoints(\?.*)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1]?.replace(/^/, '/endpoints');
    }
    expect(walked).toEqual(all);
  });

  test('a cursor is refused with other filters or when altered, and so is a limit above 100', async () => {
    const reply = await call('get', '/endpoints?limit=1');
    const cursor = /cursor=([^&>]+)/.exec(reply.headers.link ?? '')?.[1];
    expect(ids(await call('get', `/endpoints?cursor=${cursor}`))).toEqual(all.slice(1, 51));
    for (const query of [`is_active=true&cursor=${cursor}`, 'cursor=x', 'cursor=']) {
      expect([query, codeOf(await call('get', `/endpoints?${query}`))]).toEqual([query, 'invalid_cursor']);
    }
    expect(codeOf(await call('get', '/endpoints?limit=101'))).toBe('validation_error');
  });

  test('an error after the first page cuts the connection instead of ending the array', async () => {
    const { db } = api.services;
    let reads = 0;
    const endpoint = new Proxy(db.endpoint, {
      get: (target, name) => {
        if (name === 'findMany' && ++reads === 3) throw new Error('Connection terminated');
        return Reflect.get(target, name);
      },
    });
    api.services.db = new Proxy(db, {
      get: (target, name) => (name === 'endpoint' ? endpoint : Reflect.get(target, name)),
    });
    try {
      await expect(call('get', '/endpoints').then((reply) => reply.status)).rejects.toThrow(/aborted|hang up/);
    } finally {
      api.services.db = db;
    }
  });
});

test('the number of a workspace’s endpoints is limited, even when many are created at once; a deleted one makes room', async () => {
  await insert(517, await inNewWorkspace());
  const create = () => call('post', '/endpoints', { url: 'https://127.0.0.1/' });
  const replies = await Promise.all(Array.from({ length: 10 }, create));
  expect(tally(replies.map(codeOf))).toEqual({ 201: 3, limit_reached: 7 });
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body.error.message).toBe('A workspace has at most 520 endpoints');
  await call('delete', `/endpoints/${replies.find(({ status }) => status === 201)?.body.id}`).expect(204);
  expect((await create()).status).toBe(201);
});

test('what customers create in their portals leaves a tenth of the workspace’s endpoints to the workspace', async () => {
  const workspace = await inNewWorkspace();
  const { applicationId } = await seedPortal(api.db, workspace);
  await insert(467, workspace, applicationId);
  const { portalToken } = await seedPortal(api.db, workspace);
  const visit = createCaller(api.app, { base: '/api/portal', token: portalToken });
  const replies = [];
  for (let n = 0; n < 2; n += 1) replies.push(await visit('post', '/endpoints', { url: 'https://127.0.0.1/' }));
  expect(replies.map(codeOf)).toEqual([201, 'limit_reached']);
  expect(replies[1]?.body.error.message).toBe('Customers of a workspace create at most 468 endpoints');
  expect((await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).status).toBe(201);
});

test('with the setting 0 there is no limit', async () => {
  const workspace = await inNewWorkspace();
  await insert(520, workspace);
  api.services.settings = { ...api.services.settings, maxEndpointsPerWorkspace: 0 };
  expect((await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).status).toBe(201);
});
