import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { startTokenServer, type TokenServer } from '@posthorn/testkit/token-server';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Reply, type Service, startService } from './service.ts';

const CLIENT = 'posthorn-client';
const SECRET = 'canary+oauth/secret==';

let receiver: Receiver;
let server: TokenServer;
let service: Service;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTokenServer({ clientId: CLIENT, secret: SECRET, expiresIn: 600 });
  service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '3600' } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await server.close();
  await receiver.close();
}, 60_000);
beforeEach(() => {
  receiver.requests.length = 0;
  server.requests.length = 0;
  receiver.respondWith(({ headers }) => ({
    status: server.accepts(headers.authorization) ? 200 : 401,
    body: `you sent ${JSON.stringify(headers)} and ${Buffer.from(headers.authorization ?? '').toString('base64')}`,
  }));
});

const oauth2 = () => ({ tokenUrl: server.url, clientId: CLIENT, scopes: ['hooks'] });
const withOAuth = (more: object = {}) => ({
  url: receiver.url,
  config: { oauth2: oauth2() },
  credentials: { oauth2ClientSecret: SECRET },
  ...more,
});
const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);

async function create(body: object): Promise<string> {
  const reply = await manage('POST', '/endpoints', body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.id;
}

async function lastAttempt(endpointId: string, status: string): Promise<Reply['body']> {
  const delivery = await waitFor(
    async () => {
      const { body } = await manage('GET', `/endpoints/${endpointId}/deliveries`);
      const [first] = body.deliveries;
      return first?.status === status && first;
    },
    { what: `a delivery that is ${status}` },
  );
  return (await manage('GET', `/deliveries/${delivery.id}/attempts`)).body.at(-1);
}

const refused = (reply: Reply) => [reply.status, reply.body.error?.code, reply.body.error?.message];

test('docs/interface.md, OAuth 2: one token request serves many deliveries, and no secret shows in what the receiver repeats', async () => {
  const id = await create(withOAuth());
  await Promise.all(Array.from({ length: 20 }, () => service.workspace.ingest(id, { n: 1 })));
  await receiver.received(20);
  expect(server.requests).toHaveLength(1);
  const attempt = await lastAttempt(id, 'delivered');
  expect(attempt.requestHeaders.authorization).toBe('[redacted]');
  expect(attempt.responseBody).toContain('[redacted]');
  const shown = JSON.stringify([attempt, (await manage('GET', `/endpoints/${id}`)).body]);
  const token = server.tokens.at(-1) ?? '';
  for (const secret of [
    SECRET,
    token,
    encodeURIComponent(SECRET),
    Buffer.from(token).toString('base64').slice(0, -4),
  ]) {
    expect(shown).not.toContain(secret);
  }
});

test('docs/interface.md, OAuth 2: a token that cannot be had is an attempt with oauth2_failed, and the doctor tells why', async () => {
  const id = await create(withOAuth({ credentials: { oauth2ClientSecret: 'canary-wrong' } }));
  await service.workspace.ingest(id, {});
  expect(await lastAttempt(id, 'scheduled_retry')).toMatchObject({
    errorCode: 'oauth2_failed',
    errorMessage: 'The token endpoint answered 401: invalid_client',
    responseStatus: 401,
    responseBody: '{"error":"invalid_client"}',
  });
  expect(receiver.requests).toEqual([]);
  const { body } = await manage('POST', `/endpoints/${id}/doctor`, {});
  expect(body.checks.find((check: { name: string }) => check.name === 'oauth2')).toMatchObject({
    outcome: 'fail',
    detail: 'The token endpoint answered 401: invalid_client',
  });
});

test('docs/interface.md, OAuth 2: what cannot work is refused when it is saved', async () => {
  const cases: [object, string][] = [
    [withOAuth({ credentials: {} }), 'credentials.oauth2ClientSecret is required by config.oauth2'],
    [withOAuth({ config: {} }), 'credentials.oauth2ClientSecret needs config.oauth2'],
    [
      withOAuth({ credentials: { oauth2ClientSecret: 'x', oauth2PrivateKey: 'y' } }),
      'credentials.oauth2PrivateKey is not used, because config.oauth2.authMethod is basic',
    ],
    [withOAuth({ authUsername: 'a', authPassword: 'b' }), 'config.oauth2 must not be set while'],
    [
      withOAuth({ secretHeaders: { Authorization: 'x' } }),
      'secretHeaders must not set authorization together with config.oauth2',
    ],
    [
      withOAuth({ config: { oauth2: oauth2(), headers: { Authorization: 'x' } } }),
      'must not be set together with config.oauth2',
    ],
    [
      withOAuth({ config: { oauth2: { ...oauth2(), tokenUrl: 'https://10.0.0.1/' } } }),
      'config.oauth2.tokenUrl must not',
    ],
    [withOAuth({ config: { oauth2: { ...oauth2(), tokenUrl: 'http://a.example/' } } }), 'config.oauth2.tokenUrl must'],
    [withOAuth({ config: { oauth2: { ...oauth2(), extraParams: { client_secret: 'x' } } } }), 'cannot be set'],
    [withOAuth({ config: { oauth2: { ...oauth2(), surprise: 1 } } }), 'surprise'],
    [withOAuth({ credentials: { oauth2ClientSecret: 'x', other: 'y' } }), 'credentials.other is not a credential'],
    [{ type: 'playground', config: { oauth2: oauth2() } }, 'config.oauth2 is not for a playground'],
    [{ type: 'pull', config: { tls: {} } }, 'config.tls is not for a pull'],
  ];
  for (const [body, words] of cases) {
    expect(refused(await manage('POST', '/endpoints', body))).toEqual([
      400,
      'validation_error',
      expect.stringContaining(words),
    ]);
  }
});

test('docs/interface.md, Credentials: an update merges them, null removes one, and a move drops them', async () => {
  const id = await create(withOAuth());
  const patch = (body: object) => manage('PATCH', `/endpoints/${id}`, body);
  expect((await patch({ description: 'the same' })).body.credentialNames).toEqual(['oauth2ClientSecret']);
  expect(refused(await patch({ credentials: { oauth2ClientSecret: null } }))[2]).toMatch(
    /is required by config.oauth2/,
  );
  const elsewhere = { oauth2: { ...oauth2(), tokenUrl: 'https://localhost:8443/token' } };
  expect(refused(await patch({ config: elsewhere }))[2]).toMatch(/oauth2ClientSecret is required/);
  expect(refused(await patch({ url: 'https://localhost:8443/' }))[2]).toMatch(/oauth2ClientSecret is required/);
  const moved = await patch({ config: elsewhere, credentials: { oauth2ClientSecret: 'for the other one' } });
  expect([moved.status, moved.body.credentialNames]).toEqual([200, ['oauth2ClientSecret']]);
  const removed = await patch({ config: {}, credentials: { oauth2ClientSecret: null } });
  expect([removed.status, removed.body.credentialNames]).toEqual([200, []]);
  const { text } = await manage('GET', '/audit-logs');
  expect(text).not.toContain('for the other one');
});

test('docs/interface.md, TLS: a receiver with an authority of its own that asks for a certificate gets deliveries', async () => {
  const authority = await makeOwnAuthority();
  const inside = await startReceiver({
    tls: { ...(await authority.issue({ names: ['localhost'] })), clientCa: authority.caPem },
  });
  try {
    const { key, cert } = await authority.issue();
    const tls = { ca: authority.caPem, clientCertificate: cert };
    const id = await create({ url: inside.url, config: { tls }, credentials: { tlsClientKey: key } });
    await service.workspace.ingest(id, { inside: true });
    await lastAttempt(id, 'delivered');
    expect(inside.requests).toHaveLength(1);
    const other = await authority.issue();
    const fault = await manage('PATCH', `/endpoints/${id}`, { credentials: { tlsClientKey: other.key } });
    expect(refused(fault)[2]).toMatch(/credentials.tlsClientKey must be the key of the first certificate/);
    const broken = await manage('PATCH', `/endpoints/${id}`, { config: { tls: { ...tls, ca: 'x' } } });
    expect(refused(broken)[2]).toMatch(/config.tls.ca must be certificates in PEM/);
  } finally {
    await inside.close();
  }
});

test('docs/interface.md, Credentials: a promotion carries neither credentials nor what needs them, and the target keeps its own', async () => {
  const { make, environmentId } = service.workspace;
  const to = await make('/environments', { name: 'Promoted to', slug: 'promoted-to' });
  const id = await create(withOAuth({ config: { oauth2: oauth2(), timeoutSeconds: 7 } }));
  const promote = () =>
    manage('POST', `/environments/${environmentId}/promote/${to}`, {
      endpoints: [{ endpointId: id, url: receiver.url }],
    });
  const first = await promote();
  expect([first.status, first.body.error]).toEqual([200, undefined]);
  const { targetEndpointId } = first.body.applied.endpoints[0];
  const target = async () => (await manage('GET', `/endpoints/${targetEndpointId}`)).body;
  expect(await target()).toMatchObject({ config: { timeoutSeconds: 7 }, credentialNames: [] });
  expect((await target()).config).not.toHaveProperty('oauth2');
  const own = {
    config: { oauth2: { ...oauth2(), clientId: 'of the target' } },
    credentials: { oauth2ClientSecret: 'x' },
  };
  await manage('PATCH', `/endpoints/${targetEndpointId}`, own);
  expect((await promote()).status).toBe(200);
  expect(await target()).toMatchObject({
    config: { timeoutSeconds: 7, oauth2: { clientId: 'of the target' } },
    credentialNames: ['oauth2ClientSecret'],
  });
});
