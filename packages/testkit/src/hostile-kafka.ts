import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { compressionsAlgorithms, Writer } from '@platformatic/kafka';

// A server that speaks the protocol of Kafka, and describes or asks for more than a cluster would.

export const [PRODUCE, FETCH, LIST_OFFSETS, METADATA] = [0, 1, 2, 3];
export const [HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [17, 18, 36];
/** Of every topic. */
const TOPIC_ID = '12345678-1234-4234-8234-123456789012';
/** The versions of the requests that the server answers. */
const VERSIONS: readonly [key: number, version: number][] = [
  [PRODUCE, 11],
  [METADATA, 12],
  [HANDSHAKE, 1],
  [API_VERSIONS, 3],
  [AUTHENTICATE, 2],
];

export type Cluster = {
  /** Instead of the server's own, by the number of the request. Most begin with their tags. */
  answers?: Partial<Record<number, () => Buffer>>;
  /** Each leads one partition of every topic, or the first leads this number. */
  hosts?: string[];
  partitions?: number;
  /** With this certificate, it speaks TLS. */
  tls?: { key: string; cert: string };
  topics?: string[];
  lifetimeMs?: bigint;
  /** Refuses every password. */
  refuses?: boolean;
  /** Says that another broker is the leader. */
  isStale?: boolean;
  /** Instead of the answer to a message, or to a fetch. */
  onMessage?: (socket: Socket) => void;
};

function answerTo(key: number, cluster: Cluster, { port, request }: { port: number; request: Buffer }) {
  const { hosts = ['127.0.0.1'], topics = ['events'], lifetimeMs = 0n, refuses = false, partitions } = cluster;
  const leaders = partitions === undefined ? hosts.map((_, id) => id) : Array<number>(partitions).fill(0);
  const writer = Writer.create();
  switch (key) {
    case API_VERSIONS:
      return writer
        .appendInt16(0)
        .appendArray([...VERSIONS], (w, [id, version]) => w.appendInt16(id).appendInt16(version).appendInt16(version))
        .appendInt32(0)
        .appendTaggedFields();
    case METADATA:
      return writer
        .appendTaggedFields()
        .appendInt32(0)
        .appendArray(hosts, (w, host, id) => w.appendInt32(id).appendString(host).appendInt32(port).appendString(null))
        .appendString('cluster')
        .appendInt32(0)
        .appendArray(topics, (w, name) => {
          w.appendInt16(0).appendString(name).appendUUID(TOPIC_ID).appendBoolean(false);
          w.appendArray(leaders, (inner, leader, id) => {
            inner.appendInt16(0).appendInt32(id).appendInt32(leader).appendInt32(0);
            for (let list = 0; list < 3; list += 1)
              inner.appendArray([leader], (one, node) => one.appendInt32(node), true, false);
          });
          w.appendInt32(0);
        })
        .appendTaggedFields();
    case LIST_OFFSETS: {
      // The time that is asked for is the last value, before three empty tags.
      const offset = request.readBigInt64BE(request.length - 11) === -1n ? 9n : 0n;
      return writer
        .appendTaggedFields()
        .appendInt32(0)
        .appendArray(topics, (w, name) => {
          w.appendString(name).appendArray(leaders, (inner, _leader, id) => {
            inner.appendInt32(id).appendInt16(0).appendInt64(-1n).appendInt64(offset).appendInt32(0);
          });
        })
        .appendTaggedFields();
    }
    case HANDSHAKE:
      return writer.appendInt16(0).appendArray(['PLAIN'], (w, name) => w.appendString(name, false), false, false);
    case AUTHENTICATE:
      return writer
        .appendTaggedFields()
        .appendInt16(refuses ? 58 : 0)
        .appendString(null)
        .appendBytes(Buffer.of(0))
        .appendInt64(lifetimeMs)
        .appendTaggedFields();
    default:
      return writer
        .appendTaggedFields()
        .appendArray(['events'], (w, topic) => {
          w.appendString(topic).appendArray([0], (inner, partition) => {
            inner
              .appendInt32(partition)
              .appendInt16(cluster.isStale ? 6 : 0)
              .appendInt64(7n)
              .appendInt64(-1n)
              .appendInt64(0n);
            inner.appendArray([], () => undefined).appendString(null);
          });
        })
        .appendInt32(0)
        .appendTaggedFields();
  }
}

/** A server on all addresses of the loopback network. Every one of them is this machine. */
export async function serveKafka(cluster: Cluster) {
  const seen = { sockets: new Set<Socket>(), connections: 0, requests: [] as number[], acks: [] as number[] };
  const take = (socket: Socket) => {
    seen.connections += 1;
    seen.sockets.add(socket);
    socket.on('close', () => seen.sockets.delete(socket));
    socket.on('error', () => undefined);
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= rest.readInt32BE() + 4) {
        const [key, number] = [rest.readInt16BE(4), rest.readInt32BE(8)];
        // `acks` comes after the client's name, the empty tags and the absent transaction.
        if (key === PRODUCE) seen.acks.push(rest.readInt16BE(16 + rest.readInt16BE(12)));
        const request = rest.subarray(0, rest.readInt32BE() + 4);
        rest = rest.subarray(request.length);
        seen.requests.push(key);
        if ((key === PRODUCE || key === FETCH) && cluster.onMessage !== undefined) cluster.onMessage(socket);
        else {
          const answer = cluster.answers?.[key]?.() ?? answerTo(key, cluster, { port, request }).buffer;
          const head = Buffer.alloc(8);
          head.writeInt32BE(answer.length + 4);
          head.writeInt32BE(number, 4);
          socket.write(Buffer.concat([head, answer]));
        }
      }
    });
  };
  const server =
    cluster.tls === undefined
      ? createServer({ allowHalfOpen: cluster.refuses === true }, take)
      : createTlsServer(cluster.tls, take);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ seen, port },
    close() {
      server.close();
      for (const socket of seen.sockets) socket.destroy();
    },
  };
}

/** The answer to a fetch: these batches of the first partition, of the second and so on. */
export function fetchAnswer(...ofPartitions: Buffer[]): Buffer {
  return Writer.create()
    .appendTaggedFields()
    .appendInt32(0)
    .appendInt16(0)
    .appendInt32(0)
    .appendArray([TOPIC_ID], (w, id) => {
      w.appendUUID(id).appendArray([...ofPartitions.entries()], (inner, [partition, batches]) => {
        inner.appendInt32(partition).appendInt16(0).appendInt64(0n).appendInt64(9n).appendInt64(0n);
        inner.appendArray([], () => undefined).appendInt32(-1);
        inner.appendBytes(batches);
      });
    })
    .appendTaggedFields().buffer;
}

type Batch = {
  /** How many records it says it has. */
  count?: number;
  compression?: keyof typeof compressionsAlgorithms;
  firstOffset?: bigint;
  lastOffsetDelta?: number;
  magic?: number;
  /** Instead of its own. */
  length?: number;
};

/** A batch around the bytes of its records. */
export function batchOf(records: Buffer, given: Batch = {}): Buffer {
  const { count = 1, compression = 'none', firstOffset = 0n, lastOffsetDelta = count - 1, magic = 2 } = given;
  const { compressSync, bitmask } = compressionsAlgorithms[compression];
  const [leaderEpoch, crc, time, producer] = [0, 0, 0n, -1];
  const head = Writer.create()
    .appendInt32(leaderEpoch)
    .appendInt8(magic)
    .appendInt32(crc)
    .appendInt16(bitmask)
    .appendInt32(lastOffsetDelta)
    .appendInt64(time)
    .appendInt64(time)
    .appendInt64(BigInt(producer))
    .appendInt16(producer)
    .appendInt32(producer)
    .appendInt32(count);
  const bytes = Buffer.concat([head.buffer, compressSync(records)]);
  const start = Writer.create().appendInt64(firstOffset);
  return Buffer.concat([start.appendInt32(given.length ?? bytes.length).buffer, bytes]);
}

/** A record without attributes: the deltas of its time and offset, its key, value and headers, or instead the bytes of one. */
export function recordOf(...fields: (number | Buffer)[]): Buffer {
  const bytes = Buffer.concat([Buffer.of(0), ...fields.map((one) => (Buffer.isBuffer(one) ? one : varint(one)))]);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** A number with a sign. */
export function varint(value: number): Buffer {
  return Writer.create().appendVarInt(value).buffer;
}
