import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';

// docs/interface.md, Signature: signatures that receivers already verify.

let api: ApiUnderTest;
let call: Caller;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  const { workspaceId, managementToken } = await api.seedAnother();
  call = managementCaller(api.app, { workspaceId, managementToken });
});
afterAll(() => api.stop());

const create = (body: object) => call('post', '/endpoints', { url: 'https://127.0.0.1/', ...body });
const THEIRS = 'a secret of theirs';

test('an endpoint with a preset keeps the secret that its receiver has, at its creation and at a rotation', async () => {
  const made = await create({ config: { signature: 'github', standardHeaders: false }, secret: THEIRS });
  expect([made.status, made.body.secret, made.body.config]).toEqual([
    201,
    THEIRS,
    { signature: 'github', standardHeaders: false },
  ]);
  const rotated = await call('post', `/endpoints/${made.body.id}/secret/rotate`, { secret: 'another one of theirs' });
  expect([rotated.status, rotated.body.secret]).toEqual([200, 'another one of theirs']);
});

test('such a secret must be 8 to 256 printable characters, and a standard signature needs whsec_', async () => {
  const theirs = { config: { signature: 'stripe' } };
  for (const secret of ['short', 'x'.repeat(257), 'a line\nfeed', 'naïve secret']) {
    expect(codeOf(await create({ ...theirs, secret }))).toBe('validation_error');
  }
  const { body } = await create({ secret: THEIRS });
  expect(body.error.details).toEqual([{ field: 'secret', message: expect.stringContaining('must be whsec_') }]);
});

test('an endpoint returns to a standard signature only when each live secret fits it', async () => {
  const { id } = (await create({ config: { signature: 'shopify' }, secret: THEIRS })).body;
  const back = () => call('patch', `/endpoints/${id}`, { config: {} });
  expect((await back()).body.error).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('first rotate the secret'),
  });
  await call('post', `/endpoints/${id}/secret/rotate`);
  expect(codeOf(await back())).toBe('validation_error');
  await call('post', `/endpoints/${id}/secret/rotate`, { gracePeriodSeconds: 0 });
  expect((await back()).status).toBe(200);
});

test.each([
  [{ signature: { scheme: 'hmac', header: 'X-Sig', algorithm: 'md5' } }, 'config.signature.algorithm'],
  [{ signature: { scheme: 'hmac' } }, 'config.signature.header'],
  [{ signature: { header: 'X-Sig' } }, 'config.signature.scheme'],
  [{ signature: { scheme: 'hmac', header: 'X-Sig', encodng: 'hex' } }, 'config.signature.encodng'],
  [{ signature: 'Stripe' }, 'config.signature'],
])('a wrong signature is refused with the field at fault: %j', async (config, field) => {
  const { status, body } = await create({ config });
  expect([status, body.error.details[0].field]).toEqual([400, field]);
});

test('a secret header cannot be the header of a signature', async () => {
  const config = { signature: { scheme: 'hmac', header: 'X-Sig' } };
  const { body } = await create({ config, secretHeaders: { 'x-sig': 'a' } });
  expect(body.error.details[0].field).toBe('secretHeaders.x-sig');
});

test.each(['stripe', { scheme: 'hmac', header: 'X-Sig' }])(
  'a signature that receivers already verify is for requests alone: %j',
  async (signature) => {
    const refused = await call('post', '/endpoints', { type: 'pull', config: { signature } });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      {
        code: 'validation_error',
        message: 'config.signature is not for a pull endpoint: nothing is sent to it',
        details: [expect.objectContaining({ field: 'config.signature' })],
      },
    ]);
    const broker = await call('post', '/endpoints', {
      type: 'nats',
      config: { signature, destination: { servers: ['127.0.0.1:4222'], subject: 'a' } },
    });
    expect(broker.body.error.message).toBe(
      'config.signature is not for a nats endpoint: its messages are not HTTP requests',
    );
    const pull = await call('post', '/endpoints', { type: 'pull', config: { signature: 'standard-ed25519' } });
    expect(pull.status).toBe(201);
    const playground = await call('post', '/endpoints', { type: 'playground', config: { signature } });
    expect(playground.status).toBe(201);
  },
);
