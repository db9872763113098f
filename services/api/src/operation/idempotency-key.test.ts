import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { routes } from '../routes.ts';
import { takesIdempotencyKey } from './idempotency-key.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let key: string;
let count = 0;
beforeEach(() => {
  count += 1;
  key = `key-${count}`;
});

type Post = { base?: string; token?: string; key?: string };

function post(path: string, body: object, { base = api.base, token = api.managementToken, ...other }: Post = {}) {
  return request(api.app)
    .post(`${base}${path}`)
    .set('authorization', `Bearer ${token}`)
    .set('idempotency-key', other.key ?? key)
    .send(body);
}

const url = 'https://127.0.0.1/hook';
const endpoints = () => api.db.endpoint.count({ where: { deletedAt: null } });
const moveSecretsBack = () => api.db.idempotentAnswer.updateMany({ data: { secretsUntil: new Date(0) } });

describe('a repeated Idempotency-Key', () => {
  test('gives the first answer and changes nothing, even after the endpoint has changed', async () => {
    const first = await post('/endpoints', { url, environmentId: api.environmentId });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const have = await endpoints();
    await request(api.app)
      .patch(`${api.base}/endpoints/${first.body.id}`)
      .set('authorization', `Bearer ${api.managementToken}`)
      .send({ description: 'changed' });
    const again = await post('/endpoints', { url, environmentId: api.environmentId });
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
    expect(await endpoints()).toBe(have);
  });

  test('with another body is a conflict, and so is a caller that sees less', async () => {
    const body = { url, environmentId: api.environmentId };
    const first = await post('/endpoints', body);
    const other = await post('/endpoints', { ...body, description: 'other' });
    expect([other.status, codeOf(other)]).toEqual([409, 'idempotency_conflict']);
    const { applicationId } = await seedPortal(api.db, api);
    const both = await seedPortal(api.db, { ...api, applicationId });
    const blind = await seedPortal(api.db, {
      ...api,
      applicationId,
      capabilities: ['endpoints:read', 'endpoints:write'],
    });
    const at = (token: string) => post('/endpoints', { url }, { base: '/api/portal', token });
    expect((await at(both.portalToken)).body.secret).toEqual(expect.stringMatching(/^whsec_/));
    expect(codeOf(await at(blind.portalToken))).toBe('idempotency_conflict');
    expect(first.status).toBe(201);
  });

  test('of five requests at the same instant creates once, and all get the same answer', async () => {
    const have = await endpoints();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post('/endpoints', { url, environmentId: api.environmentId })),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await endpoints()).toBe(have + 1);
  });

  test('is not kept after a refusal: the corrected request is the first one', async () => {
    const refused = await post('/endpoints', { url: 'http://a.example', environmentId: api.environmentId });
    expect(refused.status).toBe(400);
    const name = `once.${count}`;
    expect((await post('/event-types', { name })).status).toBe(201);
    const taken = await post('/event-types', { name }, { key: `${key}-2` });
    expect(codeOf(taken)).toBe('event_type_exists');
    expect((await post('/event-types', { name: `${name}b` }, { key: `${key}-2` })).status).toBe(201);
    expect((await post('/endpoints', { url, environmentId: api.environmentId })).status).toBe(201);
  });

  test('belongs to one operation and path, and to one workspace', async () => {
    const application = await post('/applications', { name: 'A' });
    const other = await post('/applications', { name: 'B' }, { key: `${key}-b` });
    const session = (id: string) => post(`/applications/${id}/portal-sessions`, {});
    const [one, two] = [await session(application.body.id), await session(other.body.id)];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(two.body.id);
    const another = await api.seedAnother();
    const there = { base: `/management/v1/workspaces/${another.workspaceId}`, token: another.managementToken };
    const reply = await post('/applications', { name: 'A' }, there);
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test('of an application’s portal is none of another application’s', async () => {
    const [one, two] = [await seedPortal(api.db, api), await seedPortal(api.db, api)];
    const at = (token: string) => post('/endpoints', { url }, { base: '/api/portal', token });
    const [first, second, again] = [await at(one.portalToken), await at(two.portalToken), await at(one.portalToken)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.id).not.toBe(second.body.id);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
  });

  test('is taken at the dashboard as at the management interface', async () => {
    const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
    const person = { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken };
    const first = await post('/environments', { name: 'S', slug: 'staging' });
    const again = await post('/environments', { name: 'S', slug: 'staging' }, person);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(256)])('the key %j is refused', async (bad) => {
    const reply = await post('/applications', { name: 'A' }, { key: encodeURI(bad) === bad ? bad : bad });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
  });

  test('is free again after 24 hours, and after a first request that never ended', async () => {
    const body = { name: 'A' };
    const first = await post('/applications', body);
    await api.db.idempotentAnswer.updateMany({ data: { expiresAt: new Date(0) } });
    const second = await post('/applications', body);
    expect(second.body.id).not.toBe(first.body.id);
    await api.db.idempotentAnswer.updateMany({ data: { answer: null } });
    const underWay = await post('/applications', body);
    expect([codeOf(underWay), underWay.headers['retry-after']]).toEqual(['unavailable', '1']);
  });
});

describe('secrets of an answer', () => {
  test('that give rights are not repeated to a caller who has fewer rights', async () => {
    const as = async (role: 'owner' | 'admin' | 'member') => {
      const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role });
      return { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken };
    };
    const [owner, admin, member] = [await as('owner'), await as('admin'), await as('member')];
    const application = await post('/applications', { name: 'A' });
    const sessions = `/applications/${application.body.id}/portal-sessions`;
    const session = await post(sessions, {}, admin);
    expect(session.body.capabilities).toContain('secrets:rotate');
    expect(codeOf(await post(sessions, {}, member))).toBe('idempotency_conflict');
    const invitation = { email: `${key}@example.com`, role: 'owner' };
    const invited = await post('/members', invitation, owner);
    expect(invited.body).toMatchObject({ setPasswordToken: expect.any(String) });
    expect((await post('/members', invitation, owner)).body).toEqual(invited.body);
    expect(codeOf(await post('/members', invitation, admin))).toBe('idempotency_conflict');
  });

  test('are repeated for ten minutes, stored sealed, and null afterwards', async () => {
    const path = `/environments/${api.environmentId}/api-keys`;
    const first = await post(path, { name: 'P' });
    expect((await post(path, { name: 'P' })).body).toEqual(first.body);
    const kept = await api.db.idempotentAnswer.findMany({ where: { workspaceId: uuidOf('ws', api.workspaceId) } });
    expect(JSON.stringify(kept.map(({ answer }) => answer))).not.toContain(first.body.key);
    expect(
      kept.some(({ secretsSealed }) => secretsSealed !== null && !Buffer.from(secretsSealed).includes(first.body.key)),
    ).toBe(true);
    await moveSecretsBack();
    const later = await post(path, { name: 'P' });
    expect([later.status, later.headers['idempotent-replayed'], later.body]).toEqual([
      201,
      'true',
      { ...first.body, key: null },
    ]);
  });

  test('every field of a changing operation that has the form of a secret is named by its row', () => {
    const ofPayloads = ['requestBody', 'responseHeaders', 'responseBody', 'schemaErrors'];
    const names = ['secret', 'key', 'token', 'url', 'setPasswordToken', 'pullKey', ...ofPayloads];
    for (const route of [...portalRoutes, ...routes].filter(takesIdempotencyKey)) {
      if (route.ownIdempotency || !(route.response instanceof z.ZodObject)) continue;
      const shape = Object.keys(route.response.shape);
      // Only the address of a portal holds a secret: its token.
      const hasToken = shape.includes('token');
      const expected = names.filter((name) => shape.includes(name) && (name !== 'url' || hasToken));
      expect([route.operationId, route.secrets.toSorted()]).toEqual([route.operationId, expected.toSorted()]);
    }
  });
});

test('an operation that answers later keeps its answer too, and no failure', async () => {
  const { body: created } = await post('/endpoints', { url, environmentId: api.environmentId }, { key: `${key}-e` });
  // Nobody answers the test here: it fails, and the key is free for the next request.
  const missing = await post('/endpoints/ep_missing/test', {});
  expect(missing.status).toBe(404);
  expect(created.id).toMatch(/^ep_/);
  const type = await post(
    '/event-types',
    { name: `later.${count}`, publishIn: [api.environmentId] },
    { key: `${key}-t` },
  );
  expect(type.status).toBe(201);
  const sent = await request(api.app)
    .post(`/api/ingest/event/later.${count}`)
    .set('x-api-key', api.apiKey)
    .set('x-deliver-at', new Date(Date.now() + 3_600_000).toISOString())
    .send({});
  // Faults name keys of the payload, so they are kept sealed.
  const schemaErrors = ['ann: must be a number'];
  await api.db.event.update({ where: { id: uuidOf('msg', sent.body.id) }, data: { schemaErrors } });
  const cancel = () => post(`/events/${sent.body.id}/cancel`, {});
  const [first, again] = [await cancel(), await cancel()];
  expect([first.status, again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
    200,
    200,
    'true',
    first.body,
  ]);
  expect(again.body).toMatchObject({ schemaErrors });
  expect(await api.db.idempotentAnswer.count({ where: { answer: { contains: 'ann: must' } } })).toBe(0);
  expect(codeOf(await post(`/events/${sent.body.id}/cancel`, {}, { key: `${key}-other` }))).toBe('not_cancellable');
});

test('an answer is kept with the application that the change was about, for its erasure', async () => {
  const { body: application } = await post('/applications', { name: 'Ann', externalId: 'ann' });
  const path = `/applications/${application.id}/endpoints`;
  const body = { type: 'pull', environmentId: api.environmentId };
  const { body: endpoint } = await post(path, body);
  expect((await post(`/endpoints/${endpoint.id}/pull-keys`, { name: 'Laptop of Ann' })).status).toBe(201);
  const document = { version: 1, applications: [{ externalId: 'ann', name: 'Ann' }] };
  const others = { version: 1, applications: [{ externalId: 'bob', name: 'Bob' }] };
  for (const given of [document, others]) {
    expect((await post('/apply', { document: given }, { key: `${key}-${given === others}` })).status).toBe(200);
  }
  const answersWith = async (text: string) =>
    (await api.db.idempotentAnswer.findMany({ where: { answer: { contains: text } } })).map(
      (one) => one.applicationIds,
    );
  expect(await answersWith('Laptop of Ann')).toEqual([[uuidOf('app', application.id)]]);
  expect([await answersWith('"key":"ann"'), await answersWith('"key":"bob"')]).toMatchObject([
    [[]],
    [[expect.any(String)]],
  ]);
  expect((await post('/erasures', { applicationId: application.id })).status).toBe(202);
  expect([await answersWith('"key":"ann"'), await answersWith('"key":"bob"')]).toMatchObject([
    [],
    [[expect.any(String)]],
  ]);
});

test('a workspace keeps a bounded number of large answers', async () => {
  const another = await api.seedAnother();
  const there = { base: `/management/v1/workspaces/${another.workspaceId}`, token: another.managementToken };
  const workspaceId = uuidOf('ws', another.workspaceId);
  await api.db.$executeRaw`
    insert into idempotent_answer (digest, workspace_id, request_hash, answer, expires_at)
    select sha256(n::text::bytea), ${workspaceId}::uuid, '\\x00', repeat('x', 20000), now() + interval '1 day'
    from generate_series(1, 100) n`;
  // Portals leave the other half to the workspace.
  const { portalToken } = await seedPortal(api.db, another);
  const atPortal = { base: '/api/portal', token: portalToken };
  const headers = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`x-large-${n}`, 'x'.repeat(1_000)]));
  const ofPortal = await post('/endpoints', { url, config: { headers } }, atPortal);
  expect([ofPortal.status, codeOf(ofPortal)]).toEqual([409, 'limit_reached']);
  expect((await post('/endpoints', { url }, atPortal)).status).toBe(201);
  expect((await post('/endpoints', { url, config: { headers } }, there)).status).toBe(201);
  await api.db.$executeRaw`
    insert into idempotent_answer (digest, workspace_id, request_hash, answer, expires_at)
    select sha256(n::text::bytea), ${workspaceId}::uuid, '\\x00', repeat('x', 20000), now() + interval '1 day'
    from generate_series(101, 199) n`;
  const body = { name: 'large.one', example: { text: 'x'.repeat(20_000) } };
  const refused = await post('/event-types', body, there);
  expect([refused.status, codeOf(refused)]).toEqual([409, 'limit_reached']);
  expect((await post('/event-types', { name: 'small.one' }, there)).status).toBe(201);
  expect(await api.db.eventType.count({ where: { workspaceId, name: 'large.one' } })).toBe(0);
});
