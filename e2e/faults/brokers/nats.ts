import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NATS_USERS, startNats } from '@posthorn/testkit/nats';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { hashOf } from '../receivers.ts';
import type { BrokerMessage, StartBroker } from './broker.ts';

const STREAM = 'FAULTS';
const SUBJECT = 'events.faults';
const NO_LIMIT = -1;

export const startNatsBroker: StartBroker = async () => {
  const certificate = await receiverCertificate('good');
  const server = await startNats({ certificate });
  const credentials = NATS_USERS.events;
  const withClient = async <Result>(work: (client: NatsConnection) => Promise<Result>): Promise<Result> => {
    const { user, password: pass } = NATS_USERS.admin;
    const client = await connect({ servers: server.address, user, pass, tls: { ca: certificate.caPem } });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  /** Limits the number of messages in the stream. A new one is then refused, and none is removed. */
  const limit = (most: (present: number) => number) =>
    withClient(async (client) => {
      const { streams } = await jetstreamManager(client);
      const { state } = await streams.info(STREAM);
      await streams.update(STREAM, { max_msgs: most(state.messages) });
    });
  await withClient(async (client) => {
    const { streams } = await jetstreamManager(client);
    await streams.add({ name: STREAM, subjects: [SUBJECT], discard: 'new' });
  });
  return {
    type: 'nats',
    url: `tcp://${server.address}`,
    endpointAt: (port) => ({
      config: { destination: { servers: [`127.0.0.1:${port}`], subject: SUBJECT, ca: certificate.caPem } },
      credentials,
    }),
    kill: server.kill,
    start: server.start,
    faults: [
      {
        what: 'its stream is full',
        strike: () => limit((present) => Math.max(1, present)),
        holdMs: 5_000,
        end: () => limit(() => NO_LIMIT),
      },
      {
        what: 'its password has changed',
        strike: () => server.setPassword('another'),
        holdMs: 4_000,
        end: () => server.setPassword(credentials.password),
      },
    ],
    read: () => withClient(readAll),
    stop: server.stop,
  };
};

async function readAll(client: NatsConnection): Promise<BrokerMessage[]> {
  const { streams } = await jetstreamManager(client);
  const { state } = await streams.info(STREAM);
  const messages: BrokerMessage[] = [];
  if (state.messages === 0) return messages;
  const consumer = await jetstream(client).consumers.get(STREAM);
  for await (const message of await consumer.consume()) {
    messages.push({ eventId: message.headers?.get('webhook-id') ?? '', hash: hashOf(Buffer.from(message.data)) });
    if (message.seq >= state.last_seq) break;
  }
  return messages;
}
