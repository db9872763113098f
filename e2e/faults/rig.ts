import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromId, toId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import {
  createTestDatabase,
  migrateTest,
  openDatabase,
  type TestDatabase,
  testRedis,
} from '@posthorn/testkit/database';
import { type PostgresPair, startPostgresPair } from '@posthorn/testkit/postgres-pair';
import { findPostgres, type PostgresPrograms, startPostgres } from '@posthorn/testkit/postgres-server';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { waitFor } from '@posthorn/testkit/wait-for';
import { countOpen, findClaims, keepHistory, readHistory } from './history.ts';
import { createLoad, elapsed, type Load, type Target } from './load.ts';
import { createMember, type Member } from './member.ts';
import { judge, type Outage, type Verdict } from './oracle.ts';
import { ownStores } from './own-stores.ts';
import type { Random } from './random.ts';
import { type Behaviour, flaky, type Receivers, startReceivers } from './receivers.ts';
import { migrationsOf } from './release.ts';
import { type RowRedis, startRowRedis } from './row-redis.ts';
import { createPostgres, createRedis, type FaultyPostgres, type FaultyRedis } from './stores.ts';

/** An endpoint with its own event type. The name is its path at the receivers. */
export type Endpoint = { name: string; id: string; uuid: string; eventType: string };

export type EndpointOptions = {
  name: string;
  config?: object;
  behaviour?: Behaviour;
  /**
   * The status with which its deliveries must end. With `any`, they must only end. With `lapsed`, there may be
   * none. Default `delivered`.
   */
  endsAs?: 'delivered' | 'failed' | 'dead_letter' | 'any' | 'lapsed';
  /** Whether it is a default target of the load. Default true. */
  loaded?: boolean;
};

/**
 * The processes: services with Redis, services with Postgres alone, or processes that run both services
 * with Postgres alone.
 */
export type Shape = 'scaled' | 'postgres' | 'one';

export type RigOptions = {
  /** Default `scaled`. In `one`, `apis` is the number of processes (default 2). */
  shape?: Shape | undefined;
  /** The numbers of processes. Default 2 and 3. */
  apis?: number;
  dispatchers?: number;
  /** Settings of every process. */
  settings?: Record<string, string>;
  /** The config of the endpoints that exist from the beginning. */
  config?: object;
  /** The number of endpoints at the beginning. Default 10. */
  endpoints?: number;
  /** Resolves with the built checkout of the release that all processes begin with. Default: this one. */
  release?: () => Promise<string>;
  /** Gives the rig its own Postgres with such a standby, for a failover. */
  standby?: 'synchronous' | 'asynchronous';
  /** Gives the rig its own Postgres with these settings. */
  postgresSettings?: Record<string, string>;
  /**
   * Whether a gate stands between each process and each store. Default true. All gates share one process with the load
   * generator and the receivers, so a row has none if it measures times while no core is idle, and needs no gate.
   */
  gates?: boolean;
  /** Makes the processes use Redis servers that belong to the row, instead of the run's Redis. */
  redisServers?: RowRedis['kind'];
};

/** A whole stack on its own database, with every process behind its own gates, and with the records for the oracle. */
export type Rig = Pick<TestDatabase, 'db' | 'databaseUrl'> &
  SeededWorkspace & {
    shape: Shape;
    /** The management interface, through the first API. */
    client: ApiClient;
    apis: Member[];
    dispatchers: Member[];
    postgres: FaultyPostgres;
    redis: FaultyRedis;
    redisServers: RowRedis | undefined;
    receivers: Receivers;
    load: Load;
    endpoints: Endpoint[];
    addEndpoint: (options: EndpointOptions) => Promise<Endpoint>;
    /** Sets how deliveries must end that go to an endpoint made by the row itself. */
    expectEnd: (endpoint: string, endsAs: NonNullable<EndpointOptions['endsAs']>) => void;
    /** Makes a member without starting it, for example with other settings. */
    addMember: (service: Member['service'], settings?: Record<string, string>) => Promise<Member>;
    /** The prefix of the queues' keys in Redis. */
    queuePrefix: string;
    /** The number of `claims`: the deliveries that are now under way in all dispatchers. */
    inFlight: () => Promise<number>;
    /** The ids of the claims. An id stays the same while the claim lasts. */
    claims: () => Promise<string[]>;
    /** The number of events that are not fanned out and of open deliveries. */
    open: () => Promise<number>;
    /**
     * Waits until nothing is open, and returns how long that took, in ms. Does not throw when the time limit is over.
     */
    drain: (withinMs?: number) => Promise<number>;
    /** Waits for `ms`. */
    elapsed: (ms: number) => Promise<void>;
    /** Periods in which no process could do the work. The rig itself adds the outages of the stores. */
    outages: Outage[];
    verdict: () => Promise<Verdict>;
    stop: () => Promise<void>;
  };

const DEFAULTS = {
  // The schedule covers outages of minutes. All other settings are as in production, where agents may subscribe.
  RETRY_SCHEDULE: '1,1,2,2,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5',
  RATE_LIMIT_MANAGEMENT: '0',
  LOG_LEVEL: 'warn',
  MCP_EVENTS: 'true',
};

/** Two of the ten endpoints, drawn from the seed, answer 500 to the first attempt of every other delivery. */
const FLAKY = 2;
const WIDE = 3;

/** Starts a rig. `logs` is the folder for the output of the processes. */
export async function startRig(random: Random, logs: string, options: RigOptions = {}): Promise<Rig> {
  const ground = await layGround(options, logs);
  try {
    return await startOn(ground, random, options);
  } catch (error) {
    // Otherwise the processes would keep the run from ending.
    await ground.stop();
    throw error;
  }
}

async function startOn(ground: Ground, random: Random, options: RigOptions): Promise<Rig> {
  const { database, receivers, seeded, members, addMember, shape } = ground;
  const isOne = shape === 'one';
  for (let n = 0; n < (options.apis ?? 2); n += 1) await addMember(isOne ? 'all' : 'api');
  for (let n = 0; !isOne && n < (options.dispatchers ?? 3); n += 1) await addMember('dispatcher');
  const apis = members.filter((member) => member.service !== 'dispatcher');
  const dispatchers = members.filter((member) => member.service !== 'api');
  await Promise.all(members.map((member) => member.start()));

  const client = createApiClient({ ...seeded, baseUrl: apis[0]?.url ?? '' });
  const customers = createCustomers(client, receivers);
  const names = Array.from({ length: options.endpoints ?? 10 }, (_, n) => `e${n}`);
  const flakyNames = random.fork('flaky').sample(names, FLAKY);
  for (const name of names) {
    const behaviour = flakyNames.includes(name) ? { behaviour: flaky } : {};
    await customers.addEndpoint({ name, config: options.config ?? {}, ...behaviour });
  }
  await customers.addWideType(names.slice(0, WIDE));

  const drain = async (withinMs = 120_000) => {
    const beganMs = performance.now();
    await waitFor(async () => (await countOpen(database.db)) === 0, { what: 'the end', timeoutMs: withinMs }).catch(
      () => undefined, // Deliveries that are still open count as lost in the verdict.
    );
    return performance.now() - beganMs;
  };
  const load = createLoad({
    apis: () => apis,
    apiKey: seeded.apiKey,
    targets: () => customers.targets,
    random: random.fork('load'),
  });
  const claims = () => findClaims(database.db);
  const outages: Outage[] = [];
  return {
    ...seeded,
    ...ground,
    ...customers,
    db: database.db,
    databaseUrl: database.databaseUrl,
    client,
    apis,
    dispatchers,
    load,
    inFlight: async () => (await claims()).length,
    claims,
    open: () => countOpen(database.db),
    drain,
    elapsed,
    outages,
    verdict: async () =>
      judge({
        sent: load.sent,
        receipts: receivers.receipts,
        moves: await readHistory(database.db, {
          eventId: (uuid) => toId('msg', uuid),
          endpoint: (uuid) => customers.endpoints.find((one) => one.uuid === uuid)?.name ?? uuid,
        }),
        outages: [...ground.postgres.outages, ...ground.redis.outages, ...outages],
        endsAs: customers.endsAs,
      }),
  };
}

type Ground = Awaited<ReturnType<typeof layGround>>;

/** Prepares the database, the receivers and the stores, without processes. */
async function layGround(options: RigOptions, logs: string) {
  const checkout = await options.release?.();
  const pair = options.standby ? await startPair(options.standby) : undefined;
  const ownPostgres = options.postgresSettings ? await startOwnPostgres(options.postgresSettings) : undefined;
  const migrations = checkout === undefined ? undefined : migrationsOf(checkout);
  const database = pair ?? ownPostgres ?? (await createTestDatabase(migrations));
  await keepHistory(database.db);
  const receivers = await startReceivers();
  const seeded = await seedWorkspace(database.db);
  const { prefix, redisUrl: sharedUrl } = testRedis();
  const own = ownStores();
  // On a shared Redis, the rig has its own database number, so that a flush affects no others.
  const redisUrl = own === undefined ? Object.assign(new URL(sharedUrl), { pathname: '/7' }).href : sharedUrl;
  const { shape = 'scaled' } = options;
  const isScaled = shape === 'scaled';
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-rig-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, receivers.caPem);
  const settings = {
    ...serviceSettings({ databaseUrl: database.databaseUrl, redisUrl, prefix, caFile }),
    ...DEFAULTS,
    ...options.settings,
    DATABASE_URL: database.databaseUrl,
    REDIS_URL: isScaled ? redisUrl : '',
  };
  const redisServers = await startRowRedis(options.redisServers);
  const members: Member[] = [];
  const toPostgres = () => members.flatMap((member) => [member.postgres, member.bus]);
  const postgres = createPostgres({ name: 'postgres', gates: toPostgres, own }, pair);
  const redisStore = createRedis(redisUrl, { name: 'redis', gates: () => members.map(({ redis }) => redis), own });
  await redisStore.flush();
  // Without Redis, unlogged tables hold the data that a flush loses.
  const redis = isScaled ? redisStore : { ...redisStore, flush: () => emptyUnlogged(database.db) };
  return {
    shape,
    database,
    receivers,
    seeded,
    members,
    postgres,
    redis,
    redisServers,
    queuePrefix: prefix,
    async addMember(service: Member['service'], given: Record<string, string> = {}): Promise<Member> {
      const nth = members.filter((member) => member.service === service).length + 1;
      const name = `${service}-${nth}`;
      const logFile = join(logs, `${name}.log`);
      const member = await createMember({
        name,
        service,
        settings: { ...settings, ...given },
        throughGates: options.gates ?? true,
        redisServers: redisServers?.settings,
        logFile,
        ...(checkout === undefined ? {} : { checkout }),
      });
      members.push(member);
      return member;
    },
    async stop() {
      await Promise.all(members.map((member) => member.stop('SIGKILL')));
      await Promise.all([postgres.heal(), redis.heal()]);
      for (const { postgres, bus, redis } of members)
        await Promise.all([postgres, bus, redis].map((gate) => gate.close()));
      await redisServers?.stop();
      await receivers.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Empties the unlogged tables, as a crash of Postgres does. */
export async function emptyUnlogged(db: TestDatabase['db']): Promise<void> {
  await db.$executeRaw`truncate worker, queue_turn, rate_state, held, probe`;
}

async function startPair(kind: NonNullable<RigOptions['standby']>): Promise<PostgresPair> {
  return startPostgresPair(await postgresPrograms(), kind);
}

async function startOwnPostgres(settings: Record<string, string>): Promise<TestDatabase> {
  const server = await startPostgres(await postgresPrograms(), settings);
  await migrateTest(server.url);
  const database = openDatabase(server.url);
  return {
    ...database,
    async drop() {
      await database.drop();
      await server.remove();
    },
  };
}

async function postgresPrograms(): Promise<PostgresPrograms> {
  const programs = await findPostgres();
  if (programs === undefined) throw new Error('the programs of this Postgres are not on this machine');
  return programs;
}

function createCustomers(client: ApiClient, receivers: Receivers) {
  const endpoints: Endpoint[] = [];
  const targets: Target[] = [];
  const ends = new Map<string, string>();
  return {
    endpoints,
    targets,
    endsAs: (endpoint: string) => ends.get(endpoint) ?? 'delivered',
    expectEnd: (endpoint: string, endsAs: string) => void ends.set(endpoint, endsAs),
    async addEndpoint({ name, config, behaviour, endsAs, loaded = true }: EndpointOptions): Promise<Endpoint> {
      const eventType = `load.${name.replaceAll('-', '_')}`;
      if (behaviour !== undefined) receivers.respond(name, behaviour);
      if (endsAs !== undefined) ends.set(name, endsAs);
      const { endpointId: id } = await client.subscribeEndpoint({
        url: receivers.urlOf(name),
        eventType,
        ...(config === undefined ? {} : { config }),
      });
      const endpoint = { name, id, uuid: fromId('ep', id) ?? '', eventType };
      endpoints.push(endpoint);
      if (loaded) targets.push({ eventType, endpoints: [name] });
      return endpoint;
    },
    /** Adds an event type with several subscribed endpoints. */
    async addWideType(names: readonly string[]): Promise<void> {
      const made = endpoints.filter((endpoint) => names.includes(endpoint.name));
      const eventType = 'load.wide';
      await client.call('POST', '/event-types', { name: eventType, publishIn: await environments(client) });
      const types = await client.call<{ id: string; name: string }[]>('GET', '/event-types');
      const eventTypeIds = types.body.filter((type) => type.name === eventType).map((type) => type.id);
      for (const { id } of made) await client.call('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds });
      targets.push({ eventType, endpoints: made.map((endpoint) => endpoint.name) });
    },
  };
}

async function environments(client: ApiClient): Promise<string[]> {
  const { body } = await client.call<{ id: string }[]>('GET', '/environments');
  return body.map((environment) => environment.id);
}
