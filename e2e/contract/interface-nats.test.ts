import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { hasNats, NATS_USERS, type NatsServer, startNats } from '@posthorn/testkit/nats';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { Webhook } from 'standardwebhooks';
import { type Reply, type Service, startService } from './service.ts';

describe('docs/interface.md, Brokers and stores: what a stream of NATS has stored is delivered, and nothing else', () => {
  if (!hasNats()) return void test.skip('nats-server is not installed', () => undefined);
  const credentials = NATS_USERS.events;
  let server: NatsServer;
  let client: NatsConnection;
  let service: Service;
  let ca: string;

  beforeAll(async () => {
    const certificate = await receiverCertificate('good');
    ca = certificate.caPem;
    server = await startNats({ certificate });
    const { user, password: pass } = NATS_USERS.admin;
    client = await connect({ servers: server.address, user, pass, tls: { ca } });
    const { streams } = await jetstreamManager(client);
    await streams.add({ name: 'EVENTS', subjects: ['events.>'] });
    service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '3600' } });
  }, 360_000);
  afterAll(async () => {
    await client?.close();
    await service?.stop();
    await server?.stop();
  }, 60_000);

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);
  const to = (subject: string) => ({ servers: [server.address], subject, ca });

  async function create(destination: object): Promise<Reply['body']> {
    const reply = await manage('POST', '/endpoints', { type: 'nats', credentials, config: { destination } });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  const send: Service['workspace']['attempt'] = (...given) => service.workspace.attempt(...given);
  test('a message in a stream is verified as a webhook, and its sequence is in the attempt', async () => {
    const endpoint = await create(to('events.orders'));
    expect(endpoint).toMatchObject({
      target: `NATS ${server.address}, subject events.orders`,
      credentialNames: ['user', 'password'],
    });
    const attempt = await send(endpoint.id, { order: 7 }, 'delivered');
    expect(attempt).toMatchObject({
      ...{ outcome: 'success', responseStatus: null, errorCode: null },
      acknowledgement: { stream: 'EVENTS', sequence: expect.any(Number) },
    });
    const { streams } = await jetstreamManager(client);
    const message = await streams.getMessage('EVENTS', { seq: attempt.acknowledgement.sequence });
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(names.map((name) => [name, message?.header.get(name) ?? '']));
    expect(new Webhook(endpoint.secret).verify(message?.string() ?? '', headers)).toEqual({ order: 7 });
    expect(JSON.stringify([attempt, (await manage('GET', `/endpoints/${endpoint.id}`)).body])).not.toMatch(/canary/i);
  });

  test('a test and the doctor publish marked messages, and the doctor names the stream', async () => {
    const endpoint = await create(to('events.examined'));
    expect((await manage('POST', `/endpoints/${endpoint.id}/test`, {})).body).toMatchObject({ outcome: 'success' });
    expect((await manage('POST', `/endpoints/${endpoint.id}/doctor`, {})).body).toMatchObject({
      verdict: 'healthy',
      checks: [
        ...['dns', 'tcp'].map((name) => ({ name, outcome: 'pass' })),
        {
          ...{ name: 'target', outcome: 'pass' },
          detail: expect.stringMatching(
            /^The stream EVENTS stores messages of events\.examined, and the server takes at most \d+ bytes$/,
          ),
        },
        { name: 'publish', outcome: 'pass' },
      ],
    });
    const { streams } = await jetstreamManager(client);
    const last = await streams.getMessage('EVENTS', { last_by_subj: 'events.examined' });
    expect(last?.header.get('posthorn-test')).toBe('true');
  });

  test('a subject without a stream is a failed attempt that is tried again, and the doctor says so', async () => {
    const endpoint = await create(to('order.nobody'));
    expect(await send(endpoint.id, {}, 'scheduled_retry')).toMatchObject({
      ...{ outcome: 'failure', errorCode: 'target_not_found', acknowledgement: null },
    });
    expect((await manage('POST', `/endpoints/${endpoint.id}/doctor`, {})).body).toMatchObject({
      verdict: 'broken',
      checks: [
        ...['dns', 'tcp'].map((name) => ({ name, outcome: 'pass' })),
        { name: 'target', outcome: 'fail', advice: expect.stringContaining('Create a stream') },
        { name: 'publish', outcome: 'skipped' },
      ],
    });
  });

  test('a subject that NATS forbids ends the delivery', async () => {
    const endpoint = await create(to('events.{{data.region}}'));
    expect(await send(endpoint.id, { region: 'a b' }, 'failed')).toMatchObject({ errorCode: 'invalid_target' });
  });

  test('a move to another server drops the credentials; another subject keeps them', async () => {
    const endpoint = await create(to('events.first'));
    const patch = (destination: object) => manage('PATCH', `/endpoints/${endpoint.id}`, { config: { destination } });
    expect((await patch(to('events.second'))).body.credentialNames).toEqual(['user', 'password']);
    expect((await patch({ servers: ['nats.example.com'] })).body.credentialNames).toEqual([]);
  });

  test.each([
    [{ destination: {} }, {}, 'config.destination.servers is required'],
    [{ destination: { servers: ['https://a.example'] } }, {}, 'must be a host name or an address'],
    [{ destination: { servers: ['10.0.0.1:4222'] } }, {}, 'must not point to a private or reserved address'],
    [{ destination: { servers: ['a.example:6379'] } }, {}, 'config.destination.servers[0] must not use port 6379'],
    [{ destination: { servers: ['a.example'], tls: false } }, {}, 'config.destination.tls must be true'],
    [{ destination: { servers: ['a.example'], acks: 1 } }, {}, 'Unknown field "config.destination.acks"'],
    [{ destination: { servers: ['a.example'], subject: '{{x}}' } }, {}, 'has the unknown name'],
    [{ destination: { servers: ['a.example'] } }, { user: 'a' }, 'credentials must have one of'],
    [{ destination: { servers: ['a.example'] } }, { nkeySeed: 'SUA' }, 'must be the seed of a user'],
    [{ destination: { servers: ['a.example'], subject: 'events.*' } }, {}, 'config.destination.subject has a space'],
  ])('%j with %j is refused: %s', async (config, given, words) => {
    const reply = await manage('POST', '/endpoints', { type: 'nats', credentials: given, config });
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });
});
