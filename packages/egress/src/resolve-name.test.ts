import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { createResolveName } from './resolve-name.ts';

type Records = { addresses: string[]; ttlSeconds?: number } | 'no such name' | 'server failure' | 'silence';

// A name server on the loopback address, instead of the machine's own.
let server: Socket;
let folder: string;
let hostsFile: string;
let records: { A: Records; AAAA: Records };
let questions: string[];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { address, port }) => {
    const { name, type } = readQuestion(query);
    questions.push(`${type} ${name}`);
    const answer = records[type];
    if (answer !== 'silence') server.send(buildAnswer(query, answer), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(join(tmpdir(), 'posthorn-hosts-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    [
      '127.0.0.1 localhost',
      '# 10.0.0.1 commented.example',
      '10.0.0.2\tFixed.example  other.example # said so',
      'fd00::2 fixed.example\r',
      '0x7f.1 odd.example',
      'nonsense',
    ].join('\n'),
  );
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  records = { A: 'no such name', AAAA: 'no such name' };
  questions = [];
});

function resolve(hostname: string, budgetMs = 5_000) {
  return createResolveName({ budgetMs, servers: [`127.0.0.1:${server.address().port}`], hostsFile })(hostname);
}

test('both families are queried, and IPv4 comes first, each with its time to live', async () => {
  records = {
    A: { addresses: ['8.8.8.8', '1.1.1.1'], ttlSeconds: 30 },
    AAAA: { addresses: ['2606:4700::1'], ttlSeconds: 90 },
  };
  expect(await resolve('example.com')).toEqual([
    { address: '8.8.8.8', family: 4, ttlSeconds: 30 },
    { address: '1.1.1.1', family: 4, ttlSeconds: 30 },
    { address: '2606:4700::1', family: 6, ttlSeconds: 90 },
  ]);
  expect(questions.sort()).toEqual(['A example.com', 'AAAA example.com']);
});

test.each<[Records]>([['no such name'], ['server failure'], ['silence'], [{ addresses: [] }]])(
  'one family suffices: %j',
  async (missing) => {
    records = { A: { addresses: ['8.8.8.8'] }, AAAA: missing };
    expect(await resolve('four.example')).toMatchObject([{ address: '8.8.8.8' }]);
    records = { A: missing, AAAA: { addresses: ['2606:4700::1'] } };
    expect(await resolve('six.example')).toMatchObject([{ address: '2606:4700::1' }]);
  },
);

test.each<[Records, Records, string]>([
  ['no such name', 'no such name', 'ENOTFOUND'],
  [{ addresses: [] }, { addresses: [] }, 'ENODATA'],
  ['server failure', 'no such name', 'ESERVFAIL'],
  ['no such name', 'server failure', 'ESERVFAIL'],
  ['no such name', 'silence', 'ETIMEOUT'],
])('A: %j and AAAA: %j is %s', async (four, six, code) => {
  records = { A: four, AAAA: six };
  // Only a silent server uses up its time limit.
  await expect(resolve('missing.example', code === 'ETIMEOUT' ? 500 : 5_000)).rejects.toMatchObject({ code });
});

test('a silent name server costs no more than the time budget', async () => {
  records = { A: 'silence', AAAA: 'silence' };
  // With the default limits, the queries would take longer than this test may.
  await expect(resolve('silent.example', 300)).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

test('a name in the hosts file has the addresses given there, and no server is queried', async () => {
  expect(await resolve('fixed.example')).toMatchObject([
    { address: '10.0.0.2', family: 4 },
    { address: 'fd00::2', family: 6 },
  ]);
  expect(await resolve('OTHER.example')).toMatchObject([{ address: '10.0.0.2' }]);
  expect(questions).toEqual([]);
});

test.each(['commented.example', 'odd.example', 'nonsense'])('the hosts file has no address for %s', async (name) => {
  records.A = { addresses: ['8.8.8.8'] };
  expect(await resolve(name)).toMatchObject([{ address: '8.8.8.8' }]);
});

test('without a hosts file the servers are queried', async () => {
  records.A = { addresses: ['8.8.8.8'] };
  const servers = [`127.0.0.1:${server.address().port}`];
  const resolveName = createResolveName({ budgetMs: 5_000, servers, hostsFile: join(folder, 'none') });
  expect(await resolveName('fixed.example')).toMatchObject([{ address: '8.8.8.8' }]);
});

// RFC 1035: a header of 12 bytes, the name as labels, then type and class.
function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A', end: at + 5 };
}

function buildAnswer(query: Buffer, answer: Exclude<Records, 'silence'>): Buffer {
  const { addresses, ttlSeconds = 60 } = typeof answer === 'string' ? { addresses: [] } : answer;
  const code = answer === 'no such name' ? 3 : answer === 'server failure' ? 2 : 0;
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  const resources = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const fixed = Buffer.from([0xc0, 0x0c, 0, isIPv6(address) ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]);
    fixed.writeUInt32BE(ttlSeconds, 6);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([header, query.subarray(12, readQuestion(query).end), ...resources]);
}
