import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type NameServer = {
  /**
   * The addresses of each name; `nth` counts the queries for the name from 0. A name that is not in the map does not
   * exist.
   */
  answers: Map<string, string[] | ((nth: number) => string[])>;
  /** The NODE_OPTIONS that make a process use this name server, as if it were in resolv.conf. */
  nodeOptions: string;
  close: () => void;
};

/** A name server on the loopback address. The TTL of each answer is 0, so no answer is cached. */
export async function startNameServer(): Promise<NameServer> {
  const answers: NameServer['answers'] = new Map();
  const asked = new Map<string, number>();
  const server = createSocket('udp4');
  server.on('message', (query, { address, port }) => {
    const { name, type } = readQuestion(query);
    const known = answers.get(name);
    const nth = asked.get(`${type} ${name}`) ?? 0;
    asked.set(`${type} ${name}`, nth + 1);
    const all = typeof known === 'function' ? known(nth) : known;
    const wanted = all?.filter((text) => text.includes(':') === (type === AAAA));
    server.send(buildAnswer(query, type, wanted), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    answers,
    nodeOptions: `--import=data:text/javascript,${encodeURIComponent(askAt(`127.0.0.1:${server.address().port}`))}`,
    close: () => server.close(),
  };
}

/**
 * A script that sets the name server in a process: a new resolver only reads resolv.conf, which a test must not change.
 */
const askAt = (server: string) => `
  import { createRequire, syncBuiltinESMExports } from 'node:module';
  const dns = createRequire('/')('node:dns/promises');
  const { Resolver } = dns;
  dns.Resolver = function (options) {
    const resolver = new Resolver(options);
    resolver.setServers(['${server}']);
    return resolver;
  };
  syncBuiltinESMExports();`;

const AAAA = 28;
const HEADER_BYTES = 12;

/** Reads the question of a query (RFC 1035 §4.1.2): labels, each after its length, then type and class. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function buildAnswer(query: Buffer, type: number, addresses: string[] | undefined): Buffer {
  const { end } = readQuestion(query);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  // Flags of a recursive answer. Code 3 means that the name does not exist.
  header.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  header.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((address) => {
    const bytes = bytesOf(address);
    const record = Buffer.alloc(HEADER_BYTES);
    record.writeUInt16BE(0xc00c, 0); // A pointer to the name in the query.
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // The address in the form of the URL standard: hexadecimal groups only, without the longest run of zeros.
  const [head = '', tail = ''] = new URL(`https://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const known = [groups(head), groups(tail)] as const;
  const zeros = Array.from({ length: 8 - known[0].length - known[1].length }, () => '0');
  return Buffer.from([...known[0], ...zeros, ...known[1]].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
