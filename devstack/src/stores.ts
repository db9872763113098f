import { type PickPort, pickFreePort } from './fixed-ports.ts';
import { awaitPostgres, preparePostgres } from './postgres.ts';
import { awaitRedis, prepareRedis, prepareRedisAtHand, type RedisLogin } from './redis.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import type { Supervisor } from './supervisor.ts';

export type StoreOptions = {
  home: string;
  homeId: string;
  postgresPassword: string;
  /** Given stores are used instead of embedded ones. */
  givenPostgresUrl: string | undefined;
  givenRedisUrl: string | undefined;
  givenRedisLogin?: RedisLogin;
  /** For a Redis that is not given: whether one is needed, is used if it is at hand, or is not looked for. */
  redis: 'needed' | 'if_at_hand' | 'none';
  /** For tests: the data need not survive a failure of the machine. */
  throwaway: boolean;
  pickPort?: PickPort;
};

export type Stores = { postgresUrl: string; redisUrl: string | undefined };

// Counted from the beginning of the stop; the services before them may take up to 27.3 s.
const REDIS_HURRY_AFTER_MS = 28_200;
const POSTGRES_HURRY_AFTER_MS = 28_800;
const GIVEN_MAY_TAKE_MS = 10_000;

const POSTGRES_PORT = 25_432;
const REDIS_PORT = 25_379;

/** Starts the stores that are not given, and resolves when they answer. Postgres is started first and stopped last. */
export async function startStores(run: Run, supervisor: Supervisor, options: StoreOptions): Promise<Stores> {
  const postgresUrl = options.givenPostgresUrl ?? (await startPostgres(run, supervisor, options));
  if (options.givenPostgresUrl !== undefined) await awaitPostgres(run, postgresUrl, GIVEN_MAY_TAKE_MS);
  const redisUrl = options.givenRedisUrl ?? (await startRedis(run, supervisor, options));
  if (options.givenRedisUrl !== undefined) {
    await awaitRedis(run, options.givenRedisUrl, { timeoutMs: GIVEN_MAY_TAKE_MS, ...options.givenRedisLogin });
  }
  return { postgresUrl, redisUrl };
}

async function startPostgres(run: Run, supervisor: Supervisor, options: StoreOptions): Promise<string> {
  const { program, url } = await preparePostgres(run, {
    home: options.home,
    homeId: options.homeId,
    password: options.postgresPassword,
    throwaway: options.throwaway,
    port: await (options.pickPort ?? pickFreePort)(POSTGRES_PORT),
  });
  const kept = supervisor.keep(program);
  run.onStop({ name: program.name, hurryAfterMs: POSTGRES_HURRY_AFTER_MS, stop: kept.stop });
  await awaitPostgres(run, url);
  say('postgres', `embedded PostgreSQL on 127.0.0.1:${new URL(url).port}`);
  return url;
}

async function startRedis(run: Run, supervisor: Supervisor, options: StoreOptions): Promise<string | undefined> {
  if (options.redis === 'none') return undefined;
  const port = await (options.pickPort ?? pickFreePort)(REDIS_PORT);
  const prepare = options.redis === 'needed' ? prepareRedis : prepareRedisAtHand;
  const prepared = await prepare(run, options.home, port);
  if (prepared === undefined) return undefined;
  const { program, url, kind } = prepared;
  const kept = supervisor.keep(program);
  run.onStop({ name: program.name, hurryAfterMs: REDIS_HURRY_AFTER_MS, stop: kept.stop });
  await awaitRedis(run, url);
  say('redis', `${kind} on 127.0.0.1:${new URL(url).port}`);
  return url;
}
