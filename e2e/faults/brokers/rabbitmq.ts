import { startRabbitMq } from '@posthorn/testkit/rabbitmq';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { type Channel, connect } from 'amqplib';
import { hashOf } from '../receivers.ts';
import type { BrokerMessage, StartBroker } from './broker.ts';

const QUEUE = 'faults';

export const startRabbitMqBroker: StartBroker = async () => {
  const { caPem: ca, ...certificate } = await receiverCertificate('good');
  const server = await startRabbitMq({ certificate });
  const { username, password } = server;
  const withChannel = async <Result>(work: (channel: Channel) => Promise<Result>): Promise<Result> => {
    const client = await connect({ hostname: '127.0.0.1', port: server.port, username, password });
    try {
      return await work(await client.createChannel());
    } finally {
      await client.close();
    }
  };
  await withChannel((channel) => channel.assertQueue(QUEUE));
  return {
    type: 'rabbitmq',
    url: `tcp://127.0.0.1:${server.tlsPort}`,
    endpointAt: (port) => ({
      config: { destination: { host: '127.0.0.1', port, ca, routingKey: QUEUE } },
      credentials: { username, password },
    }),
    kill: server.kill,
    start: server.start,
    faults: [
      {
        what: 'its disk is full',
        // RabbitMQ then stops reading, so messages wait in its sockets.
        prepare: async () => void (await server.control('set_disk_free_limit', '1000000GB')),
        holdMs: 5_000,
        end: async () => void (await server.control('set_disk_free_limit', '50MB')),
        keepsMessages: true,
      },
      {
        what: 'its password has changed',
        // The change ends no connection.
        prepare: async () => void (await server.control('change_password', username, 'another')),
        strike: async ({ gate }) => gate().cut(),
        holdMs: 4_000,
        end: async () => void (await server.control('change_password', username, password)),
      },
    ],
    read: () => withChannel(readAll),
    stop: server.stop,
  };
};

async function readAll(channel: Channel): Promise<BrokerMessage[]> {
  const { messageCount } = await channel.checkQueue(QUEUE);
  const messages: BrokerMessage[] = [];
  if (messageCount === 0) return messages;
  await new Promise<void>((resolve, reject) => {
    const take: Parameters<Channel['consume']>[1] = (message) => {
      if (message === null) return reject(new Error('RabbitMQ ended the consumer'));
      messages.push({ eventId: String(message.properties.messageId), hash: hashOf(message.content) });
      if (messages.length === messageCount) resolve();
    };
    channel.consume(QUEUE, take, { noAck: true }).catch(reject);
  });
  return messages;
}
