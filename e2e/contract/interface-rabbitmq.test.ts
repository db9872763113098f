import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasRabbitMq, type RabbitMq, startRabbitMq } from '@posthorn/testkit/rabbitmq';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Channel, connect } from 'amqplib';
import { Webhook } from 'standardwebhooks';
import { type Reply, type Service, startService } from './service.ts';

describe('docs/interface.md, Brokers and stores: what RabbitMQ has confirmed is delivered, and nothing else', () => {
  if (!hasRabbitMq()) return void test.skip('RabbitMQ is not installed', () => undefined);
  let broker: RabbitMq;
  let service: Service;
  let channel: Channel;
  let credentials: { username: string; password: string };
  let place: { host: string; port: number; ca: string };

  beforeAll(async () => {
    const { caPem: ca, ...certificate } = await receiverCertificate('good');
    broker = await startRabbitMq({ certificate });
    const { username, password } = broker;
    credentials = { username, password };
    place = { host: '127.0.0.1', port: broker.tlsPort, ca };
    await connectClient();
    // A broker that is killed may forget a queue that is only seconds old: then every message is unroutable.
    await channel.assertQueue('killed');
    service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '1,3600' } });
  }, 360_000);
  afterAll(async () => {
    await service?.stop();
    await broker?.stop();
  }, 60_000);

  async function connectClient() {
    const client = await connect({ hostname: '127.0.0.1', port: broker.port, ...credentials });
    // A killed broker must not end this process.
    client.on('error', () => undefined);
    channel = await client.createChannel();
    channel.on('error', () => undefined);
  }

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);

  async function create(destination: object, more: object = {}): Promise<Reply['body']> {
    const config = { destination: { ...place, ...destination }, ...more };
    const body = { type: 'rabbitmq', credentials, config };
    const reply = await manage('POST', '/endpoints', body);
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  /** Resolves with the delivery when it has this status, and with its last attempt. */
  async function deliveryOf(endpointId: string, status: string): Promise<Reply['body']> {
    const delivery = await waitFor(
      async () => {
        const { body: list } = await manage('GET', `/endpoints/${endpointId}/deliveries`);
        return list.deliveries[0]?.status === status && list.deliveries[0];
      },
      { what: `a delivery that is ${status}` },
    );
    return { delivery, attempt: (await manage('GET', `/deliveries/${delivery.id}/attempts`)).body.at(-1) };
  }

  async function read(queue: string) {
    return waitFor(
      async () => {
        const message = await channel.get(queue, { noAck: true });
        return message === false ? undefined : message;
      },
      { what: 'a message in the queue' },
    );
  }

  test('a message is confirmed, can be verified as a webhook, and shows no credentials', async () => {
    await channel.assertExchange('events', 'topic');
    await channel.assertQueue('warehouse');
    await channel.bindQueue('warehouse', 'events', 'orders.#');
    const endpoint = await create({ exchange: 'events', routingKey: 'orders.{{data.country}}' });
    expect(endpoint).toMatchObject({
      target: `RabbitMQ 127.0.0.1:${broker.tlsPort}/, exchange events`,
      credentialNames: ['username', 'password'],
    });
    await service.workspace.ingest(endpoint.id, { country: 'fr' });
    const { delivery, attempt } = await deliveryOf(endpoint.id, 'delivered');
    expect(attempt).toMatchObject({
      ...{ outcome: 'success', responseStatus: null, errorCode: null },
      acknowledgement: { confirmed: 'ack' },
    });
    const { content, fields, properties } = await read('warehouse');
    expect(fields.routingKey).toBe('orders.fr');
    expect(properties).toMatchObject({
      ...{ deliveryMode: 2, contentType: 'application/json', messageId: delivery.eventId },
      correlationId: delivery.id,
    });
    expect(new Webhook(endpoint.secret).verify(content.toString(), properties.headers ?? {})).toEqual({
      country: 'fr',
    });
    expect(JSON.stringify([attempt, (await manage('GET', `/endpoints/${endpoint.id}`)).body])).not.toMatch(/canary/i);
  });

  test('a message that no queue takes is tried again, and is delivered when there is one', async () => {
    const endpoint = await create({ routingKey: 'later' });
    await service.workspace.ingest(endpoint.id, { order: 1 });
    const { attempt } = await deliveryOf(endpoint.id, 'scheduled_retry');
    expect(attempt).toMatchObject({ errorCode: 'unroutable', acknowledgement: null });
    await channel.assertQueue('later');
    await deliveryOf(endpoint.id, 'delivered');
    expect((await read('later')).content.toString()).toBe('{"order":1}');
  });

  test('the doctor examines the connection, the exchange and the right to publish; its message is marked', async () => {
    await channel.assertQueue('examined');
    const endpoint = await create({ routingKey: 'examined' });
    const healthy = await manage('POST', `/endpoints/${endpoint.id}/doctor`, {});
    expect(healthy.body.checks.map(({ name, outcome }: Reply['body']) => [name, outcome])).toEqual(
      ['dns', 'tcp', 'tls', 'certificate', 'target', 'publish'].map((name) => [name, 'pass']),
    );
    expect((await read('examined')).properties.headers).toMatchObject({ 'posthorn-test': 'true' });
    const broken = await create({ exchange: 'nowhere' });
    const { checks } = (await manage('POST', `/endpoints/${broken.id}/doctor`, {})).body;
    expect(checks[4]).toMatchObject({
      ...{ name: 'target', outcome: 'fail', detail: expect.stringContaining("no exchange 'nowhere'") },
      advice: expect.stringContaining('Create the exchange'),
    });
  });

  test('an endpoint that moves loses its credentials; another exchange is no move', async () => {
    const endpoint = await create({});
    const patch = (destination: object) =>
      manage('PATCH', `/endpoints/${endpoint.id}`, { config: { destination: { ...place, ...destination } } });
    expect((await patch({ exchange: 'events' })).body.credentialNames).toEqual(['username', 'password']);
    expect(await patch({ vhost: 'other' })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', message: expect.stringContaining('credentials') } },
    });
  });

  test.each([
    [{}, 'config.destination.host is required'],
    [{ host: 'a.example', acks: 0 }, 'Unknown field "config.destination.acks"'],
    [{ host: 'amqp://a.example' }, 'config.destination.host must be a host name'],
    [{ host: '10.0.0.1' }, 'config.destination.host must not point to a private or reserved address'],
    [{ host: 'localhost', tls: false }, 'config.destination.tls must be true'],
    [{ host: 'localhost', port: 6379 }, 'config.destination.host must not use port 6379'],
    [{ host: 'localhost', ca: 'none' }, 'config.destination.ca must be a certificate in PEM'],
    [{ host: 'localhost', routingKey: '{{secret}}' }, 'config.destination.routingKey has the unknown name'],
  ])('the destination %j is refused: %s', async (destination, words) => {
    const reply = await manage('POST', '/endpoints', { type: 'rabbitmq', credentials, config: { destination } });
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });

  test('no event is lost and nothing is delivered that is in no queue, when the broker is killed and started again', async () => {
    const endpoint = await create({ routingKey: 'killed' }, { retrySchedule: Array(20).fill(2) });
    const sent = Array.from({ length: 100 }, (_, index) => index);
    const accept = async (index: number) => {
      expect((await service.workspace.ingest(endpoint.id, index)).status).toBe(202);
    };
    await Promise.all(sent.slice(0, 50).map(accept));
    await broker.kill();
    await Promise.all(sent.slice(50).map(accept));
    await broker.start();
    await connectClient();
    await waitFor(
      async () => {
        const { body } = await manage('GET', `/endpoints/${endpoint.id}/deliveries?limit=100`);
        const statuses: string[] = body.deliveries.map(({ status }: { status: string }) => status);
        const open = body.deliveries.find(({ status }: { status: string }) => status !== 'delivered');
        if (open !== undefined) {
          const { body: attempts } = await manage('GET', `/deliveries/${open.id}/attempts`);
          const { startedAt, errorCode } = attempts.at(-1) ?? {};
          throw new Error(`${open.id} is ${open.status}, last attempt ${startedAt} ${errorCode}: ${statuses.join()}`);
        }
        return statuses.length === sent.length;
      },
      { what: 'every event to be delivered', timeoutMs: 90_000 },
    );
    const there = new Set<string>();
    for (;;) {
      const message = await channel.get('killed', { noAck: true });
      if (message === false) break;
      there.add(message.content.toString());
    }
    expect([...there].map(Number).sort((a, b) => a - b)).toEqual(sent);
  }, 150_000);
});
