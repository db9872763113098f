import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { Admin, Consumer } from '@platformatic/kafka';
import { hasKafka, KAFKA_USER, startKafka } from '@posthorn/testkit/kafka';
import { hasMoto, startMoto } from '@posthorn/testkit/moto';
import { hasNats, NATS_USERS, startNats } from '@posthorn/testkit/nats';
import { hasRabbitMq, startRabbitMq } from '@posthorn/testkit/rabbitmq';
import { connect as connectRabbitMq } from 'amqplib';
import type { Stack } from './stack.ts';

/** A broker that events are published to. */
export type Broker = {
  /** The endpoint that publishes to the broker, as the management interface takes it. */
  endpoint: { type: string; config: object; credentials: object };
  /** The number of messages in the broker. */
  count: () => Promise<number>;
  close: () => Promise<void>;
};

/** Starts a broker of each kind. `undefined` if it is not installed. */
export const BROKERS: Readonly<Record<string, (tls: Stack['tls']) => Promise<Broker | undefined>>> = {
  rabbitmq: async (tls) => (hasRabbitMq() ? rabbitmq(tls) : undefined),
  nats: async (tls) => (hasNats() ? nats(tls) : undefined),
  kafka: async (tls) => (hasKafka() ? kafka(tls) : undefined),
  sqs: async () => (hasMoto() ? sqs() : undefined),
};

const NAME = 'bench';

async function rabbitmq({ caPem: ca, key, cert }: Stack['tls']): Promise<Broker> {
  const server = await startRabbitMq({ certificate: { key, cert } });
  const { username, password, port, tlsPort } = server;
  const client = await connectRabbitMq({ hostname: '127.0.0.1', port, username, password });
  const channel = await client.createChannel();
  await channel.assertQueue(NAME);
  return {
    endpoint: {
      type: 'rabbitmq',
      config: { destination: { host: '127.0.0.1', port: tlsPort, ca, routingKey: NAME } },
      credentials: { username, password },
    },
    count: async () => (await channel.checkQueue(NAME)).messageCount,
    async close() {
      await client.close();
      await server.stop();
    },
  };
}

async function nats(certificate: Stack['tls']): Promise<Broker> {
  const server = await startNats({ certificate });
  const { user, password: pass } = NATS_USERS.admin;
  const client = await connectNats({ servers: server.address, user, pass, tls: { ca: certificate.caPem } });
  const { streams } = await jetstreamManager(client);
  const subject = `events.${NAME}`;
  await streams.add({ name: NAME, subjects: [subject] });
  return {
    endpoint: {
      type: 'nats',
      config: { destination: { servers: [server.address], subject, ca: certificate.caPem } },
      credentials: NATS_USERS.events,
    },
    count: async () => (await streams.info(NAME)).state.messages,
    async close() {
      await client.close();
      await server.stop();
    },
  };
}

const PARTITIONS = 3;

async function kafka({ caPem: ca }: Stack['tls']): Promise<Broker> {
  const server = await startKafka();
  const options = { clientId: NAME, bootstrapBrokers: [server.open] };
  const admin = new Admin(options);
  await admin.createTopics({ topics: [NAME], partitions: PARTITIONS, replicas: 1 });
  await admin.close();
  const consumer = new Consumer({ ...options, groupId: NAME });
  return {
    endpoint: {
      type: 'kafka',
      config: { destination: { brokers: [server.secure], topic: NAME, saslMechanism: 'scram-sha-512', ca } },
      credentials: KAFKA_USER,
    },
    async count() {
      const ends = (await consumer.listOffsets({ topics: [NAME] })).get(NAME) ?? [];
      return Number(ends.reduce((sum, end) => sum + end, 0n));
    },
    async close() {
      await consumer.close();
      await server.stop();
    },
  };
}

export const AWS = { region: 'eu-central-1', keys: { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' } };

async function sqs(): Promise<Broker> {
  const { url: endpoint, stop } = await startMoto();
  const { region, keys } = AWS;
  // The keys are copied, because the SDK adds to the object.
  const client = new SQSClient({ endpoint, region, credentials: { ...keys } });
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: NAME }));
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
  return {
    endpoint: { type: 'sqs', config: { destination: { queueUrl: QueueUrl, region, endpoint } }, credentials: keys },
    count: async () => Number((await client.send(asked)).Attributes?.ApproximateNumberOfMessages),
    async close() {
      client.destroy();
      await stop();
    },
  };
}
