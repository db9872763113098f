import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Writer } from '@platformatic/kafka';

// A server that speaks the protocol of Kafka, and describes or asks for more than a cluster would.

export const [PRODUCE, METADATA, HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [0, 3, 17, 18, 36];
/** Of every topic. */
export const TOPIC_ID = '12345678-1234-4234-8234-123456789012';
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
  /** Each leads one partition of every topic. */
  hosts?: string[];
  topics?: string[];
  lifetimeMs?: bigint;
  /** Refuses every password. */
  refuses?: boolean;
  /** Says that another broker is the leader. */
  isStale?: boolean;
  /** Instead of the answer to a message. */
  onMessage?: (socket: Socket) => void;
};

function answerTo(key: number, cluster: Cluster, port: number) {
  const { hosts = ['127.0.0.1'], topics = ['events'], lifetimeMs = 0n, refuses = false } = cluster;
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
          w.appendArray(hosts, (inner, _host, id) => {
            inner.appendInt16(0).appendInt32(id).appendInt32(id).appendInt32(0);
            for (let list = 0; list < 3; list += 1)
              inner.appendArray([id], (one, node) => one.appendInt32(node), true, false);
          });
          w.appendInt32(0);
        })
        .appendTaggedFields();
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
  const server = createServer({ allowHalfOpen: cluster.refuses === true }, (socket) => {
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
        rest = rest.subarray(rest.readInt32BE() + 4);
        seen.requests.push(key);
        if (key === PRODUCE && cluster.onMessage !== undefined) cluster.onMessage(socket);
        else {
          const answer = cluster.answers?.[key]?.() ?? answerTo(key, cluster, port).buffer;
          const head = Buffer.alloc(8);
          head.writeInt32BE(answer.length + 4);
          head.writeInt32BE(number, 4);
          socket.write(Buffer.concat([head, answer]));
        }
      }
    });
  });
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
