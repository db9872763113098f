import { PubSub } from '@google-cloud/pubsub';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasPubSub, newAccount, type PubSubServer, startPubSub } from '@posthorn/testkit/pubsub';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { type Reply, type Service, startService } from './service.ts';

const projectId = 'acme-prod';

describe('docs/interface.md, Brokers and stores: what Pub/Sub has answered with an id is delivered, and nothing else', () => {
  if (!hasPubSub()) return void test.skip('the server of Pub/Sub is not installed', () => undefined);
  let server: PubSubServer;
  let service: Service;
  let ca: string;

  beforeAll(async () => {
    server = await startPubSub({ host: '127.0.0.1' });
    ({ caPem: ca } = await receiverCertificate('good'));
    const client = new PubSub({ projectId, apiEndpoint: server.open, emulatorMode: true });
    for (const name of ['events', 'hidden', 'denied']) await client.createTopic(name);
    await client.close();
    service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '3600' } });
  }, 360_000);
  afterAll(async () => {
    await service?.stop();
    await server?.stop();
  }, 60_000);

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);
  const to = (topicId: string) => ({ projectId, topicId, endpoint: server.secure, ca });

  async function create(destination: object): Promise<Reply['body']> {
    const credentials = { serviceAccountJson: server.accountJson };
    const reply = await manage('POST', '/endpoints', { type: 'pubsub', credentials, config: { destination } });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  const doctor = async (id: string) => (await manage('POST', `/endpoints/${id}/doctor`, {})).body;

  test('the id of the message is in the attempt, and the key shows nowhere', async () => {
    const endpoint = await create(to('events'));
    expect(endpoint).toMatchObject({
      target: `Pub/Sub projects/acme-prod/topics/events at ${server.secure}`,
      credentialNames: ['serviceAccountJson'],
    });
    const attempt = await service.workspace.attempt(endpoint.id, { order: 7 }, 'delivered');
    expect(attempt).toMatchObject({
      ...{ outcome: 'success', responseStatus: null, errorCode: null, remoteAddress: '127.0.0.1' },
      acknowledgement: { messageId: expect.any(String) },
      timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: expect.any(Number) },
    });
    expect(JSON.stringify([attempt, (await manage('GET', `/endpoints/${endpoint.id}`)).body])).not.toMatch(
      /PRIVATE KEY/,
    );
  });

  test('the doctor needs no permission to look at the topic; without the permission to publish, it has advice', async () => {
    expect(await doctor((await create(to('hidden'))).id)).toMatchObject({
      verdict: 'healthy',
      checks: ['dns', 'tcp', 'tls', 'certificate', 'target', 'publish'].map((name) => ({ name, outcome: 'pass' })),
    });
    const { verdict, checks } = await doctor((await create(to('denied'))).id);
    expect([verdict, checks.at(-1)]).toMatchObject([
      'broken',
      { name: 'publish', outcome: 'fail', advice: expect.stringContaining('roles/pubsub.publisher') },
    ]);
  });

  test('a topic that is not there is a failed attempt that is tried again, and the doctor says so', async () => {
    const endpoint = await create(to('nobody'));
    expect(await service.workspace.attempt(endpoint.id, {}, 'scheduled_retry')).toMatchObject({
      ...{ outcome: 'failure', errorCode: 'target_not_found', acknowledgement: null },
    });
    expect((await doctor(endpoint.id)).checks.at(-2)).toMatchObject({
      ...{ name: 'target', outcome: 'fail', advice: expect.stringContaining('Create the topic') },
    });
  });

  test('a move to another topic drops the key', async () => {
    const endpoint = await create(to('events'));
    const config = { destination: to('hidden') };
    const moved = await manage('PATCH', `/endpoints/${endpoint.id}`, { config });
    expect([moved.status, moved.body.error?.code]).toEqual([400, 'validation_error']);
    const credentials = { serviceAccountJson: server.accountJson };
    expect((await manage('PATCH', `/endpoints/${endpoint.id}`, { config, credentials })).status).toBe(200);
  });

  const key = newAccount().json;
  test.each([
    [{ topicId: 'events' }, key, 'config.destination.projectId is required'],
    [{ projectId: 'Acme', topicId: 'events' }, key, 'must be the id of a project'],
    [{ projectId, topicId: 'goog-events' }, key, 'must be the id of a topic'],
    [
      { projectId, topicId: 'events', endpoint: '10.0.0.1:443' },
      key,
      'must not point to a private or reserved address',
    ],
    [{ projectId, topicId: 'events', endpoint: 'a.example', tls: false }, key, 'config.destination.tls must be true'],
    [{ projectId, topicId: 'events', tls: false }, key, 'must be true without an endpoint'],
    [{ projectId, topicId: 'events', acks: 1 }, key, 'Unknown field "config.destination.acks"'],
    [{ projectId, topicId: 'events' }, '{"type":"authorized_user"}', 'must be the JSON key of a service account'],
    [{ projectId, topicId: 'events' }, undefined, 'credentials'],
  ])('%j is refused: %s', async (destination, serviceAccountJson, words) => {
    const body = { type: 'pubsub', credentials: { serviceAccountJson }, config: { destination } };
    const reply = await manage('POST', '/endpoints', body);
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });
});
