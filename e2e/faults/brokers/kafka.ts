import {
  type Acl,
  AclOperations,
  AclPermissionTypes,
  Admin,
  Consumer,
  type Message,
  ResourcePatternTypes,
  ResourceTypes,
} from '@platformatic/kafka';
import { KAFKA_USER, startKafka } from '@posthorn/testkit/kafka';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { hashOf } from '../receivers.ts';
import type { BrokerMessage, StartBroker } from './broker.ts';

const TOPIC = 'faults';
const PARTITIONS = 3;

/** A rule that denies the user to write. */
const DENIED: Acl = {
  resourceType: ResourceTypes.TOPIC,
  resourceName: TOPIC,
  resourcePatternType: ResourcePatternTypes.LITERAL,
  principal: `User:${KAFKA_USER.username}`,
  host: '*',
  operation: AclOperations.WRITE,
  permissionType: AclPermissionTypes.DENY,
};

export const startKafkaBroker: StartBroker = async (port) => {
  const { caPem: ca } = await receiverCertificate('good');
  const server = await startKafka({ announcedPort: port });
  const withAdmin = async (work: (admin: Admin) => Promise<unknown>): Promise<void> => {
    const admin = new Admin({ clientId: 'faults', bootstrapBrokers: [server.open] });
    try {
      await work(admin);
    } finally {
      await admin.close();
    }
  };
  await withAdmin((admin) => admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1 }));
  return {
    type: 'kafka',
    url: `tcp://${server.secure}`,
    endpointAt: (at) => ({
      config: { destination: { brokers: [`127.0.0.1:${at}`], topic: TOPIC, saslMechanism: 'scram-sha-512', ca } },
      credentials: KAFKA_USER,
    }),
    kill: server.kill,
    start: server.start,
    announce: server.announce,
    faults: [
      {
        what: 'its disk is full, so it ends',
        strike: server.fillDisk,
        holdMs: 3_000,
        end: server.start,
      },
      {
        what: 'its user may no longer write',
        strike: () => withAdmin((admin) => admin.createAcls({ creations: [DENIED] })),
        holdMs: 4_000,
        end: () => withAdmin((admin) => admin.deleteAcls({ filters: [DENIED] })),
      },
    ],
    read: () => readAll(server.open),
    stop: server.stop,
  };
};

async function readAll(address: string): Promise<BrokerMessage[]> {
  return readTopic([address], TOPIC, ({ headers, value }) => {
    const named = new Map([...headers].map(([name, text]) => [name.toString(), text.toString()]));
    return { eventId: named.get('webhook-id') ?? '', hash: hashOf(value) };
  });
}

type TopicRecord = Pick<Message, 'headers' | 'key' | 'value' | 'partition' | 'offset'>;

/**
 * Reads all records that a topic has now. Keeps only the result of `read` for each: a million whole records would
 * fill the memory.
 */
export async function readTopic<Read>(
  bootstrapBrokers: string[],
  topic: string,
  read: (record: TopicRecord) => Read,
): Promise<Read[]> {
  const consumer = new Consumer({ clientId: 'faults', groupId: 'faults', bootstrapBrokers });
  const records: Read[] = [];
  try {
    const ends = (await consumer.listOffsets({ topics: [topic] })).get(topic) ?? [];
    const left = new Set(ends.flatMap((end, partition) => (end > 0n ? [partition] : [])));
    if (left.size === 0) return records;
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
    for await (const { headers, key, value, partition, offset } of stream) {
      records.push(read({ headers, key, value, partition, offset }));
      if (offset + 1n >= (ends[partition] ?? 0n)) left.delete(partition);
      if (left.size === 0) break;
    }
    return records;
  } finally {
    await consumer.close(true);
  }
}
