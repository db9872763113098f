import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newToken } from '@posthorn/crypto/token';
import request, { type Response } from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

const SHOP = 'https://shop.example';
const OTHER_TENANT = 'https://other.example:8443';
const STRANGER = 'https://evil.example';

let api: ApiUnderTest;
let portalToken: string;
let otherToken: string;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  const other = await api.seedAnother();
  await list(api.workspaceId, [SHOP, 'http://localhost:*']);
  await list(other.workspaceId, [OTHER_TENANT]);
  ({ portalToken } = await seedPortal(api.db, api));
  ({ portalToken: otherToken } = await seedPortal(api.db, other));
});
afterAll(() => api.stop());

const list = (workspaceId: string, portalOrigins: string[]) =>
  api.db.workspace.update({ where: { id: uuidOf('ws', workspaceId) }, data: { portalOrigins } });

const preflight = (origin: string, { path = '/api/portal/endpoints', method = 'GET' } = {}) =>
  request(api.app)
    .options(path)
    .set('origin', origin)
    .set('access-control-request-method', method)
    .set('access-control-request-headers', 'authorization,content-type,idempotency-key');
const visit = (origin: string, token: string, path = '/api/portal/endpoints') =>
  request(api.app).get(path).set('origin', origin).set('authorization', `Bearer ${token}`);

/** The headers with which an answer allows another origin anything. */
const allowances = ({ headers }: Response) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'a page of a listed origin may ask for %s with a token, and no cookie counts',
  async (method) => {
    const answer = await preflight(SHOP, { method });
    expect([answer.status, answer.text, answer.headers.vary]).toEqual([204, '', 'Origin']);
    expect(allowances(answer)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
      'access-control-max-age': '600',
    });
  },
);

test.each([
  ['an origin that no workspace lists', STRANGER],
  ['a listed host at another port', `${SHOP}:8443`],
  ['a listed host without TLS', 'http://shop.example'],
  ['a subdomain of a listed host', 'https://a.shop.example'],
  ['a local origin at a host that is not listed', 'http://127.0.0.1:3000'],
  ['the pattern of a list itself', 'http://localhost:*'],
  ['a sandboxed frame', 'null'],
  ['no URL', "'; drop table workspace"],
])('%s gets no permission, neither before nor with a token', async (_, origin) => {
  const asked = await preflight(origin);
  expect([asked.status, asked.body.error.code, allowances(asked)]).toEqual([405, 'method_not_allowed', {}]);
  const read = await visit(origin, portalToken);
  expect([read.status, allowances(read)]).toEqual([200, {}]);
});

test('any port of this machine is allowed where the list says so', async () => {
  const origin = 'http://localhost:5173';
  expect(allowances(await preflight(origin))).toMatchObject({ 'access-control-allow-origin': origin });
  expect(allowances(await visit(origin, portalToken))).toMatchObject({ 'access-control-allow-origin': origin });
});

test.each(['TRACE', 'CONNECT', 'get', ''])('the method %j is not allowed', async (method) => {
  const answer = await preflight(SHOP, { method });
  expect([answer.status, answer.headers['access-control-allow-methods']]).toEqual([405, undefined]);
});

test('an answer may be read with its headers, and so may a refusal', async () => {
  const allowed = {
    'access-control-allow-origin': SHOP,
    'access-control-expose-headers':
      'Idempotent-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
  };
  const read = await visit(SHOP, portalToken);
  expect([read.status, allowances(read), read.headers.vary]).toEqual([200, allowed, expect.stringContaining('Origin')]);
  const ended = await visit(SHOP, newToken('portal'));
  expect([ended.status, ended.body.error.code, allowances(ended)]).toEqual([401, 'unauthorized', allowed]);
  const missing = await visit(SHOP, portalToken, '/api/portal/endpoints/ep_missing');
  expect([missing.status, allowances(missing)]).toEqual([404, allowed]);
});

test("the origin of another workspace may not read with this workspace's token", async () => {
  expect(allowances(await visit(OTHER_TENANT, otherToken))['access-control-allow-origin']).toBe(OTHER_TENANT);
  const read = await visit(OTHER_TENANT, portalToken);
  expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
});

test('an origin is allowed until it is taken off the list', async () => {
  await list(api.workspaceId, []);
  expect(allowances(await preflight(SHOP))).toEqual({});
  expect(allowances(await visit(SHOP, portalToken))).toEqual({});
  await list(api.workspaceId, [SHOP, 'http://localhost:*']);
  expect(allowances(await preflight(SHOP))).toMatchObject({ 'access-control-allow-origin': SHOP });
});

test('no other interface allows a listed origin anything', async () => {
  const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
  const addresses: [path: string, token: string][] = [
    [`${api.base}/endpoints`, api.managementToken],
    ['/management/v1/me', api.managementToken],
    [`/api/workspaces/${api.workspaceId}/endpoints`, sessionToken],
    ['/api/workspaces', sessionToken],
    ['/api/auth/session', sessionToken],
    ['/api/ingest/event-types/order.created', api.apiKey],
    ['/mcp', portalToken],
    ['/api/portals', portalToken],
    ['/healthz', portalToken],
  ];
  for (const [path, token] of addresses) {
    const asked = await preflight(SHOP, { path });
    const read = await visit(SHOP, token, path);
    expect([path, asked.status === 204, allowances(asked), allowances(read)]).toEqual([path, false, {}, {}]);
  }
});
