import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const url = 'https://127.0.0.1/';
const create = async (given: object = {}) => (await call('post', '/endpoints', { url, ...given })).body;
const patch = (id: string, body: object) => call('patch', `/endpoints/${id}`, body);
const stored = (id: string) =>
  api.db.endpoint.findUniqueOrThrow({ where: { id: uuidOf('ep', id) }, include: { secrets: true } });
const lastEntry = () =>
  api.db.auditEntry.findFirstOrThrow({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId) },
    orderBy: { id: 'desc' },
  });

describe('secret headers', () => {
  test('are stored sealed, and only their names are shown', async () => {
    const made = await create({ secretHeaders: { 'X-Token': 'hidden-value', 'X-Other': 'second-value' } });
    expect(made.secretHeaderNames).toEqual(['X-Token', 'X-Other']);
    expect(JSON.stringify([made, await stored(made.id), (await lastEntry()).metadata])).not.toMatch(
      /hidden|second-value/,
    );
  });

  test('are merged by a patch, in any case of their names; null removes one', async () => {
    const made = await create({ secretHeaders: { 'X-Token': 'a', 'X-Other': 'b' } });
    const changed = await patch(made.id, { secretHeaders: { 'x-token': 'c', 'X-Other': null, 'X-New': 'd' } });
    expect(changed.body.secretHeaderNames).toEqual(['x-token', 'X-New']);
    expect((await patch(made.id, { description: 'other' })).body.secretHeaderNames).toEqual(['x-token', 'X-New']);
  });

  test('a new value under the same name is an audited change', async () => {
    const made = await create({ secretHeaders: { 'X-Token': 'a' } });
    await patch(made.id, { secretHeaders: { 'X-Token': 'b' } });
    expect(await lastEntry()).toMatchObject({
      action: 'endpoint.updated',
      metadata: { changes: { secretHeaders: { from: { 'X-Token': '[redacted]' }, to: { 'X-Token': '[redacted]' } } } },
    });
  });

  test('are not sent to another origin: they are dropped unless the same request gives them again', async () => {
    const made = await create({ secretHeaders: { 'X-Token': 'a' } });
    expect((await patch(made.id, { url: 'https://127.0.0.1/other' })).body.secretHeaderNames).toEqual(['X-Token']);
    expect((await patch(made.id, { url: 'https://127.0.0.2/' })).body.secretHeaderNames).toEqual([]);
    const moved = await patch(made.id, { url: 'https://127.0.0.1/', secretHeaders: { 'X-Token': 'b' } });
    expect(moved.body.secretHeaderNames).toEqual(['X-Token']);
  });

  test.each<[object, string]>([
    [{ secretHeaders: { 'webhook-id': 'a' } }, 'secretHeaders.webhook-id is a header that cannot be set'],
    [{ secretHeaders: { 'bad name': 'a' } }, 'secretHeaders.bad name must be a valid header name'],
    [{ secretHeaders: { 'X-Token': 'a\nb' } }, 'secretHeaders.X-Token must be printable ASCII'],
    [{ secretHeaders: { 'X-Token': 'a ' } }, 'secretHeaders.X-Token must not begin or end with a space'],
    [{ config: { headers: { 'X-Token': ' a' } } }, 'config.headers.X-Token must not begin or end with a space'],
    [{ secretHeaders: { 'X-A': 'a', 'x-a': 'b' } }, 'secretHeaders must not name a header twice'],
    [
      { secretHeaders: { 'X-A': 'a' }, config: { headers: { 'x-a': 'b' } } },
      'secretHeaders.X-A must not be in config.headers too',
    ],
    [
      { secretHeaders: { Authorization: 'a' }, authUsername: 'ann', authPassword: 'b' },
      'secretHeaders must not set authorization while the endpoint has credentials',
    ],
    [
      { secretHeaders: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'a'])) },
      'secretHeaders must have at most 10 headers',
    ],
  ])('%j is refused and changes nothing', async (body, message) => {
    const refused = { error: { code: 'validation_error', message } };
    expect((await call('post', '/endpoints', { url, ...body })).body).toMatchObject(refused);
    const made = await create();
    expect((await patch(made.id, body)).body).toMatchObject(refused);
    expect((await call('get', `/endpoints/${made.id}`)).body).toEqual(made);
  });

  test('a patch that removes ten and sets another is accepted', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `X-${n}`);
    const made = await create({ secretHeaders: Object.fromEntries(names.map((name) => [name, 'a'])) });
    const secretHeaders = { ...Object.fromEntries(names.map((name) => [name, null])), 'X-New': 'b' };
    expect((await patch(made.id, { secretHeaders })).body.secretHeaderNames).toEqual(['X-New']);
  });

  test('an endpoint has at most 10 after all patches', async () => {
    const headers = (from: number) => Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`X-${from + n}`, 'a']));
    const made = await create({ secretHeaders: headers(0) });
    expect((await patch(made.id, { secretHeaders: headers(10) })).body.error.code).toBe('limit_reached');
  });

  test('a config that names a secret header is refused', async () => {
    const made = await create({ secretHeaders: { 'X-Token': 'a' } });
    const answer = await patch(made.id, { config: { headers: { 'x-token': 'b' } } });
    expect(answer.body.error.message).toBe('secretHeaders.X-Token must not be in config.headers too');
  });
});

describe('asymmetric signatures', () => {
  const config = { signature: 'standard-ed25519' };

  test('give the endpoint a public key; the private key is stored sealed', async () => {
    expect((await create()).publicKey).toBeNull();
    const made = await create({ config });
    expect(made.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const [secret] = (await stored(made.id)).secrets;
    expect(secret?.privateKeySealed?.length).toBeGreaterThan(32);
  });

  test('can be switched on and off later, and keep their key', async () => {
    const made = await create();
    const on = (await patch(made.id, { config })).body;
    expect(on.publicKey).toMatch(/^whpk_/);
    expect(on.secret).toBe(made.secret);
    expect((await patch(made.id, { config: {} })).body.publicKey).toBeNull();
    expect((await patch(made.id, { config })).body.publicKey).toBe(on.publicKey);
  });

  test('rotate with the secret: the old key pair lives as long as the old secret', async () => {
    const made = await create({ config });
    const rotated = (await call('post', `/endpoints/${made.id}/secret/rotate`)).body;
    expect(rotated.publicKey).not.toBe(made.publicKey);
    expect((await stored(made.id)).secrets.map(({ publicKey }) => publicKey !== null)).toEqual([true, true]);
  });
});

test.each([
  [{ payloadFormat: 'xml' }, 'config.payloadFormat must be one of raw, envelope, cloudevents'],
  [
    { signature: 'none' },
    'config.signature must be one of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy, convoy-advanced, outpost, hook0, or an object with scheme',
  ],
])('%j is refused', async (config, message) => {
  expect((await call('post', '/endpoints', { url, config })).body.error.message).toBe(message);
});
