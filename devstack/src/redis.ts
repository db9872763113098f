import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkerConnection, type RedisOptions } from '@posthorn/queue/redis/connection';
import { describeError } from '@posthorn/runtime/describe-error';
import { freePort } from '@posthorn/testkit/free-port';
import type { Program } from './child.ts';
import { Failure } from './failure.ts';
import { findInstalledRedis, type RedisBinary } from './redis-binary.ts';
import { unpackRedisFromDebian } from './redis-from-debian.ts';
import { aborted, type Run } from './run.ts';
import { placeOf } from './store-place.ts';

const START_MAY_TAKE_MS = 60_000;

// BullMQ silently loses jobs if keys are evicted; the append-only file keeps waiting jobs over a restart. The queues hold
// less than 100 MB (packages/queue/src/redis/room.ts).
const SETTINGS = ['--maxmemory', '256mb', '--maxmemory-policy', 'noeviction', '--appendonly', 'yes', '--save', ''];

type PreparedRedis = { program: Program; url: string; kind: string };

/**
 * A Redis as a program for the supervisor, and its URL: installed or unpacked. Throws a Failure if there is none.
 */
export async function prepareRedis(run: Run, home: string, givenPort?: number): Promise<PreparedRedis> {
  const binary = await findRedis(run);
  if (binary !== undefined) return prepare(binary, home, givenPort);
  throw new Failure(
    'No Redis (6.2 or later) was found: it is not installed, and could not be downloaded as a Debian package.',
    'Install one (apt-get install redis-server, brew install redis) or name one: REDIS_URL=redis://host:6379 npm start. Without one, npm start -- --one works with Postgres alone.',
  );
}

/** The same; undefined if there is none. It does not try each time to download one. */
export async function prepareRedisAtHand(
  run: Run,
  home: string,
  givenPort?: number,
): Promise<PreparedRedis | undefined> {
  const binary = await findRedis(run, { isOptional: true });
  return binary && prepare(binary, home, givenPort);
}

async function prepare(binary: RedisBinary, home: string, givenPort: number | undefined): Promise<PreparedRedis> {
  const folder = join(home, 'redis');
  mkdirSync(folder, { recursive: true });
  const port = givenPort ?? (await freePort());
  return { program: ofBinary(binary, folder, port), url: `redis://127.0.0.1:${port}`, kind: binary.version };
}

/** The server as a program: installed, or unpacked from Debian's package. Undefined if this machine has neither. */
async function findRedis(run: Run, options?: { isOptional: boolean }): Promise<RedisBinary | undefined> {
  return (await findInstalledRedis(run)) ?? (await unpackRedisFromDebian(run, options));
}

/** The variables with which tests start servers of their own. */
export async function redisForTests(run: Run): Promise<NodeJS.ProcessEnv> {
  const binary = await findRedis(run);
  return {
    TEST_REDIS_COMMAND: binary?.command,
    TEST_REDIS_LIBRARIES: binary?.environment.LD_LIBRARY_PATH,
  };
}

type AwaitRedisOptions = { timeoutMs?: number } & RedisLogin;

/** The settings that given servers may need besides their URL. */
export type RedisLogin = Pick<RedisOptions, 'redisCa' | 'sentinelPassword'>;

/** Waits until the server has loaded its data and answers a PING; a Failure, with the reason, when it does not. */
export async function awaitRedis(
  run: Run,
  url: string,
  { timeoutMs = START_MAY_TAKE_MS, ...login }: AwaitRedisOptions = {},
): Promise<void> {
  let problem = '';
  const note = (error: unknown): void => {
    problem = describeError(error);
  };
  const connection = openWorkerConnection({ redisUrl: url, ...login, onError: note });
  try {
    // The command waits until the server is ready; meanwhile `onError` gets the reason why it is not.
    const answer = connection.ping().then(() => true, note);
    if (await Promise.race([answer, aborted(AbortSignal.any([run.signal, AbortSignal.timeout(timeoutMs)]))])) return;
    run.signal.throwIfAborted();
  } finally {
    connection.disconnect();
  }
  throw new Failure(
    `Redis at ${placeOf(url)} has not answered for ${timeoutMs / 1000} s: ${problem}`,
    'Check REDIS_URL, or the log of redis in the home.',
  );
}

function ofBinary(binary: RedisBinary, folder: string, port: number): Program {
  return {
    name: 'redis',
    command: binary.command,
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--daemonize', 'no', ...SETTINGS],
    env: binary.environment,
    stopSignal: 'SIGTERM',
    hurrySignal: 'SIGKILL',
  };
}
