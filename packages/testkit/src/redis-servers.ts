import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** A Redis server of one test, with its own data folder. */
type RedisServer = {
  port: number;
  /** A connection for the test's own commands. */
  client: Redis;
  /** Kills the server. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

const HOST = '127.0.0.1';
const SLOTS = 16_384;
const KEYS_AT_ONCE = 200;

/** True if this machine has the Redis server as a program. The devstack sets the variable. */
export const hasRedisServer = Boolean(process.env.TEST_REDIS_COMMAND);

type ServerOptions = {
  args?: string[];
  /** The text of a settings file, which sentinels must be able to write. */
  settings?: string;
  password?: string;
};

/** Starts a server on a free port, and resolves once it answers. */
export async function startRedisServer({ args = [], settings, password }: ServerOptions = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-redis-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  writeFileSync(file, settings ?? '');
  const own = ['--bind', HOST, '--port', `${port}`, '--dir', folder, '--save', '', '--maxmemory-policy', 'noeviction'];
  const child = spawn(process.env.TEST_REDIS_COMMAND ?? 'redis-server', [file, ...own, ...args], {
    env: { ...process.env, LD_LIBRARY_PATH: process.env.TEST_REDIS_LIBRARIES ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    });
  }
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const client = new Redis({
    host: HOST,
    port,
    ...(password === undefined ? {} : { password }),
    retryStrategy: () => 50,
  });
  client.on('error', () => undefined); // The failed command reports it.
  await waitFor(() => client.status === 'ready', { what: 'Redis to answer' }).catch((cause: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`Redis did not start:\n${output}`, { cause });
  });
  const kill = async () => {
    if (client.status !== 'end') client.disconnect();
    await end(child);
  };
  return {
    port,
    client,
    kill,
    async stop() {
      await kill();
      process.off('exit', killAtExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export type RedisCluster = {
  /** The value for `REDIS_URL`. */
  url: string;
  masters: RedisServer[];
  /** Moves the hash slot of a key to the next master, with all keys of the slot, while clients go on. */
  moveSlotOf: (key: string) => Promise<void>;
  /** Kills the master of a key's hash slot. Its replica, if it has one, is promoted. */
  killMasterOf: (key: string) => Promise<void>;
  stop: () => Promise<void>;
};

const MASTERS = 3;

/** Starts three masters that share the slots, without replicas or with one each. */
export async function startRedisCluster({ replicated = false } = {}): Promise<RedisCluster> {
  const servers = await Promise.all(Array.from({ length: replicated ? 2 * MASTERS : MASTERS }, startClusterNode));
  const [masters, replicas] = [servers.slice(0, MASTERS), servers.slice(MASTERS)];
  const [first, ...others] = servers;
  await Promise.all(
    masters.map(async ({ client }, index) => {
      const from = Math.floor((index * SLOTS) / masters.length);
      const to = Math.floor(((index + 1) * SLOTS) / masters.length);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      await client.call('CLUSTER', 'ADDSLOTS', ...Array.from({ length: to - from }, (_, slot) => from + slot));
    }),
  );
  for (const { port, client } of others) {
    const busPort = String(await client.call('CONFIG', 'GET', 'cluster-port')).split(',')[1] ?? '';
    await first?.client.call('CLUSTER', 'MEET', HOST, port, busPort);
  }
  const knowsAll = async ({ client }: RedisServer) => {
    const info = String(await client.call('CLUSTER', 'INFO')).split('\r\n');
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${servers.length}`);
  };
  await waitFor(async () => (await Promise.all(servers.map(knowsAll))).every(Boolean), { what: 'the Cluster' });
  await Promise.all(replicas.map((replica, index) => replicate(replica, masters[index])));
  return {
    url: `redis+cluster://${masters.map(({ port }) => `${HOST}:${port}`).join(',')}`,
    masters,
    moveSlotOf: (key) => moveSlotOf(key, masters),
    async killMasterOf(key) {
      const slot = Number(await masters[0]?.client.call('CLUSTER', 'KEYSLOT', key));
      await masters[await ownerOf(slot, masters)]?.kill();
    },
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

async function startClusterNode(): Promise<RedisServer> {
  const cluster = [
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    `${await freePort()}`,
    '--cluster-node-timeout',
    '2000',
  ];
  return startRedisServer({ args: [...cluster, '--repl-diskless-sync-delay', '0'] });
}

/** Resolves once the Cluster node is a replica in sync. */
async function replicate({ client }: RedisServer, master: RedisServer | undefined): Promise<void> {
  await client.call('CLUSTER', 'REPLICATE', String(await master?.client.call('CLUSTER', 'MYID')));
  const isInSync = async () => /master_link_status:up/.test(await client.info('replication'));
  await waitFor(isInSync, { what: 'a replica to be in sync' });
}

/** Moves a slot by the documented steps: announce it at both ends, move the keys, and name the new owner everywhere. */
async function moveSlotOf(key: string, masters: RedisServer[]): Promise<void> {
  const [any] = masters;
  const slot = Number(await any?.client.call('CLUSTER', 'KEYSLOT', key));
  const ids = await Promise.all(masters.map(async ({ client }) => String(await client.call('CLUSTER', 'MYID'))));
  const owner = await ownerOf(slot, masters);
  const next = (owner + 1) % masters.length;
  const [from, to] = [masters[owner], masters[next]];
  if (from === undefined || to === undefined) throw new Error('there is no other master');
  await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[owner] ?? '');
  await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[next] ?? '');
  const remaining = async () => (await from.client.call('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_AT_ONCE)) as string[];
  for (let keys = await remaining(); keys.length > 0; keys = await remaining()) {
    await from.client.call('MIGRATE', HOST, to.port, '', 0, 5_000, 'REPLACE', 'KEYS', ...keys);
  }
  for (const { client } of [to, from, ...masters.filter((master) => master !== to && master !== from)]) {
    await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[next] ?? '');
  }
}

async function ownerOf(slot: number, [any, ...others]: RedisServer[]): Promise<number> {
  const ranges = (await any?.client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
  const port = ranges.find(([start, last]) => start <= slot && slot <= last)?.[2][1];
  return [any, ...others].findIndex((master) => master?.port === port);
}

export type SentinelSet = {
  /** The value for `REDIS_URL`, with the servers' password. */
  url: string;
  sentinelPassword: string;
  /** Kills the master. The sentinels then promote the replica. */
  killMaster: () => Promise<void>;
  /** The port of the current master, as the sentinels see it. */
  masterPort: () => Promise<number>;
  stop: () => Promise<void>;
};

const MASTER = 'posthorn';

/** Starts a master, its replica, and three sentinels that notice within a second that the master is gone. */
export async function startSentinelSet(): Promise<SentinelSet> {
  const [password, sentinelPassword] = ['a pass@word', 'sentinels'];
  // The delay of 0 lets the replica sync without a wait for further replicas.
  const login = ['--requirepass', password, '--masterauth', password, '--repl-diskless-sync-delay', '0'];
  const master = await startRedisServer({ args: login, password });
  const replica = await startRedisServer({ args: [...login, '--replicaof', HOST, `${master.port}`], password });
  const isInSync = async () => /master_link_status:up/.test(await replica.client.info('replication'));
  await waitFor(isInSync, { what: 'the replica to be in sync' });
  const settings = [
    `sentinel monitor ${MASTER} ${HOST} ${master.port} 2`,
    `sentinel auth-pass ${MASTER} "${password}"`,
    `sentinel down-after-milliseconds ${MASTER} 1000`,
    `sentinel failover-timeout ${MASTER} 4000`,
    `requirepass ${sentinelPassword}`,
    `sentinel sentinel-pass ${sentinelPassword}`,
  ].join('\n');
  const sentinels = await Promise.all(
    [1, 2, 3].map(() => startRedisServer({ args: ['--sentinel'], settings, password: sentinelPassword })),
  );
  const know = async ({ client }: RedisServer) => {
    const [, others] =
      /(?:^|,)num-other-sentinels,(\d+)/.exec(String(await client.call('SENTINEL', 'MASTER', MASTER))) ?? [];
    const replicas = (await client.call('SENTINEL', 'REPLICAS', MASTER)) as unknown[];
    return others === '2' && replicas.length === 1;
  };
  await waitFor(async () => (await Promise.all(sentinels.map(know))).every(Boolean), { what: 'the sentinels' });
  const addresses = sentinels.map(({ port }) => `${HOST}:${port}`).join(',');
  return {
    url: `redis+sentinel://:${encodeURIComponent(password)}@${addresses}/${MASTER}`,
    sentinelPassword,
    killMaster: () => master.kill(),
    async masterPort() {
      const address = await sentinels[0]?.client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER);
      return Number(String(address).split(',')[1]);
    },
    stop: async () => void (await Promise.all([...sentinels, replica, master].map((server) => server.stop()))),
  };
}
