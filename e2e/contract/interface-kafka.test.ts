import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Admin, Consumer } from '@platformatic/kafka';
import { hasKafka, KAFKA_USER, type KafkaBroker, makeTopics, startKafka } from '@posthorn/testkit/kafka';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { Webhook } from 'standardwebhooks';
import { type Reply, type Service, startService } from './service.ts';

describe('docs/interface.md, Brokers and stores: what all replicas in sync of Kafka have is delivered, and nothing else', () => {
  if (!hasKafka()) return void test.skip('Kafka is not installed', () => undefined);
  let broker: KafkaBroker;
  let service: Service;
  let ca: string;

  beforeAll(async () => {
    ca = (await receiverCertificate('good')).caPem;
    [broker, service] = await Promise.all([
      startKafka(),
      startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '3600' } }),
    ]);
    const admin = new Admin({ clientId: 'admin', bootstrapBrokers: [broker.open] });
    await makeTopics(admin, { topics: ['events'], partitions: 1 });
    await admin.close();
  }, 360_000);
  afterAll(async () => {
    await service?.stop();
    await broker?.stop();
  }, 60_000);

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);
  const to = (topic: string) => ({ brokers: [broker.secure], topic, saslMechanism: 'scram-sha-512', ca });

  async function create(destination: object): Promise<Reply['body']> {
    const body = { type: 'kafka', credentials: KAFKA_USER, config: { destination } };
    const reply = await manage('POST', '/endpoints', body);
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  const send: Service['workspace']['attempt'] = (...given) => service.workspace.attempt(...given);
  test('a message in a topic is verified as a webhook, and its offset is in the attempt', async () => {
    const endpoint = await create(to('events'));
    expect(endpoint).toMatchObject({
      target: `Kafka ${broker.secure}, topic events`,
      credentialNames: ['username', 'password'],
    });
    const attempt = await send(endpoint.id, { order: 7 }, 'delivered', { 'X-Ordering-Key': 'order-7' });
    expect(attempt).toMatchObject({
      ...{ outcome: 'success', responseStatus: null, errorCode: null },
      acknowledgement: { partition: 0, offset: 0 },
    });
    const consumer = new Consumer({ clientId: 'reader', groupId: 'readers', bootstrapBrokers: [broker.open] });
    const stream = await consumer.consume({ topics: ['events'], mode: 'earliest', autocommit: false });
    for await (const { key, value, headers } of stream) {
      const named = Object.fromEntries([...headers].map(([name, text]) => [name.toString(), text.toString()]));
      // The endpoint does not have `ordering: 'fifo'`.
      expect(key.toString()).toBe('order-7');
      expect(new Webhook(endpoint.secret).verify(value.toString(), named)).toEqual({ order: 7 });
      break;
    }
    await consumer.close(true);
    expect(JSON.stringify([attempt, (await manage('GET', `/endpoints/${endpoint.id}`)).body])).not.toMatch(/canary/i);
  }, 60_000);

  test('the doctor examines the connection, the topic and the permission to write; a test is published', async () => {
    const endpoint = await create(to('events'));
    expect((await manage('POST', `/endpoints/${endpoint.id}/test`, {})).body).toMatchObject({ outcome: 'success' });
    expect((await manage('POST', `/endpoints/${endpoint.id}/doctor`, {})).body).toMatchObject({
      checks: [
        ...['dns', 'tcp', 'tls', 'certificate'].map((name) => ({ name, outcome: expect.stringMatching(/pass|warn/) })),
        { name: 'target', outcome: 'pass', detail: 'The topic events has 1 partition' },
        { name: 'publish', outcome: 'pass' },
      ],
    });
  });

  test('a topic that is not there is a failed attempt that is tried again, and the doctor says so', async () => {
    const endpoint = await create(to('nobody'));
    expect(await send(endpoint.id, {}, 'scheduled_retry')).toMatchObject({
      ...{ outcome: 'failure', errorCode: 'target_not_found', acknowledgement: null },
    });
    const { body } = await manage('POST', `/endpoints/${endpoint.id}/doctor`, {});
    expect([body.verdict, body.checks.slice(-2)]).toMatchObject([
      'broken',
      [
        { name: 'target', outcome: 'fail', advice: expect.stringContaining('Create the topic') },
        { name: 'publish', outcome: 'skipped' },
      ],
    ]);
  });

  test('a move to another broker or topic drops the credentials; another key keeps them', async () => {
    const endpoint = await create(to('events'));
    const patch = (destination: object) => manage('PATCH', `/endpoints/${endpoint.id}`, { config: { destination } });
    expect((await patch({ ...to('events'), key: '{{eventId}}' })).body.credentialNames).toHaveLength(2);
    expect((await patch({ brokers: ['kafka.example.com'], topic: 'events' })).body.credentialNames).toEqual([]);
  });

  test.each([
    [{}, {}, 'config.destination.brokers is required'],
    [{ brokers: ['https://a.example'], topic: 'a' }, {}, 'must be a host name or an address'],
    [{ brokers: ['10.0.0.1:9092'], topic: 'a' }, {}, 'must not point to a private or reserved address'],
    [{ brokers: ['a.example'], topic: 'a b' }, {}, 'must have 1 to 249 letters'],
    [{ brokers: ['a.example'], topic: 'a', tls: false }, {}, 'config.destination.tls must be true'],
    [{ brokers: ['a.example'], topic: 'a', acks: 1 }, {}, 'Unknown field "config.destination.acks"'],
    [{ brokers: ['a.example'], topic: 'a' }, { username: 'a' }, 'credentials must have username and password together'],
    [{ brokers: ['a.example'], topic: 'a', saslMechanism: 'plain' }, {}, 'credentials.username is required'],
    [{ brokers: ['a.example'], topic: 'a' }, { username: 'a', password: 'b' }, 'credentials.username is not used'],
  ])('%j with %j is refused: %s', async (destination, credentials, words) => {
    const reply = await manage('POST', '/endpoints', { type: 'kafka', credentials, config: { destination } });
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });
});
