import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkerConnection, type RedisOptions } from '@posthorn/queue/redis/connection';
import { describeError } from '@posthorn/runtime/describe-error';
import { freePort } from '@posthorn/testkit/free-port';
import type { Program } from './child.ts';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { findInstalledRedis, findOnPath, type RedisBinary } from './redis-binary.ts';
import { unpackRedisFromDebian } from './redis-from-debian.ts';
import { aborted, type Run } from './run.ts';
import { say } from './say.ts';
import { placeOf } from './store-place.ts';

const IMAGE = 'redis:7.4-alpine';
const START_MAY_TAKE_MS = 60_000;
const PULL_MAY_TAKE_MS = 300_000;

// BullMQ silently loses jobs if keys are evicted; the append-only file keeps waiting jobs over a restart. The queues hold
// less than 100 MB (packages/queue/src/redis/room.ts).
const SETTINGS = ['--maxmemory', '256mb', '--maxmemory-policy', 'noeviction', '--appendonly', 'yes', '--save', ''];

type PreparedRedis = { program: Program; url: string; kind: string };

/**
 * A Redis as a program for the supervisor, and its URL: installed, unpacked or in a container. Throws a Failure if
 * there is none.
 */
export async function prepareRedis(run: Run, home: string, givenPort?: number): Promise<PreparedRedis> {
  const prepared = await prepareRedisAtHand(run, home, givenPort);
  if (prepared !== undefined) return prepared;
  throw new Failure(
    'No Redis (6.2 or later) was found: it is not installed, could not be downloaded as a Debian package, and Docker does not run.',
    'Install one (apt-get install redis-server, brew install redis) or name one: REDIS_URL=redis://host:6379 npm start. Without one, npm start -- --one works with Postgres alone.',
  );
}

/** The same; undefined if there is none. */
export async function prepareRedisAtHand(
  run: Run,
  home: string,
  givenPort?: number,
): Promise<PreparedRedis | undefined> {
  const folder = join(home, 'redis');
  mkdirSync(folder, { recursive: true });
  const port = givenPort ?? (await freePort());
  const url = `redis://127.0.0.1:${port}`;
  const binary = await findRedis(run);
  if (binary !== undefined) return { program: ofBinary(binary, folder, port), url, kind: binary.version };
  if (await dockerRuns(run)) return { program: await ofContainer(run, folder, port), url, kind: IMAGE };
  return undefined;
}

/** The server as a program: installed, or unpacked from Debian's package. Undefined if this machine has neither. */
async function findRedis(run: Run): Promise<RedisBinary | undefined> {
  return (await findInstalledRedis(run)) ?? (await unpackRedisFromDebian(run));
}

/** The variables by which tests start servers of their own. */
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

async function dockerRuns(run: Run): Promise<boolean> {
  if (findOnPath('docker') === undefined) return false;
  return (await runCommand('docker', ['info'], { signal: run.signal, timeoutMs: 10_000 })).ok;
}

async function ofContainer(run: Run, folder: string, port: number): Promise<Program> {
  say('redis', `none is installed: starting ${IMAGE} in a container …`);
  const pulled = await runCommand('docker', ['pull', IMAGE], { signal: run.signal, timeoutMs: PULL_MAY_TAKE_MS });
  if (!pulled.ok) throw new Failure(`docker pull ${IMAGE} failed: ${pulled.output}`, 'Install redis-server instead.');
  const name = `posthorn-redis-${port}`;
  // The container keeps running if the docker client is killed.
  run.onStop({
    name: 'redis container',
    hurryAfterMs: 29_000,
    stop: async () => void spawnSync('docker', ['rm', '-f', name], { stdio: 'ignore', timeout: 3_000 }),
  });
  const publish = ['--publish', `127.0.0.1:${port}:6379`, '--volume', `${folder}:/data`];
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const user = uid === undefined ? [] : ['--user', `${uid}:${gid}`];
  return {
    name: 'redis',
    command: 'docker',
    args: ['run', '--rm', '--name', name, ...publish, ...user, IMAGE, 'redis-server', ...SETTINGS],
    env: process.env,
    stopSignal: 'SIGTERM',
    hurrySignal: 'SIGKILL',
  };
}
