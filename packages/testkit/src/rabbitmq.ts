import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { spawnGroup } from './spawn-group.ts';
import { waitForServer } from './wait-for-server.ts';

/** The path in Debian's package. The program of the same name in /usr/sbin only changes the user. */
const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const CONTROL = '/usr/lib/rabbitmq/bin/rabbitmqctl';
const run = promisify(execFile);

/** A broker on the loopback address. Its one user may do everything. */
export type RabbitMq = {
  port: number;
  /** The port for TLS, if the broker has a certificate. */
  tlsPort: number;
  username: string;
  password: string;
  /** Kills the broker, as in a crash. */
  kill: () => Promise<void>;
  /** Starts the broker again, with the same port and data. */
  start: () => Promise<void>;
  /** Runs `rabbitmqctl`, which takes some seconds, and returns its output. */
  control: (...args: string[]) => Promise<string>;
  stop: () => Promise<void>;
};

export type RabbitMqOptions = {
  /** Further users of the virtual host `/`. Users without `mayWrite` may not use it. */
  users?: { name: string; password: string; mayWrite?: string }[];
  /** A certificate for `localhost`, in PEM. */
  certificate?: { cert: string; key: string };
  maxMessageBytes?: number;
};

/** True if RabbitMQ is installed. Otherwise prints which tests are skipped. */
export function hasRabbitMq(): boolean {
  if (existsSync(PROGRAM)) return true;
  process.stderr.write('skipped  tests of RabbitMQ: sh e2e/brokers/install-rabbitmq.sh installs it\n');
  return false;
}

/** Starts a broker with its own name, ports and folder. */
export async function startRabbitMq(options: RabbitMqOptions = {}): Promise<RabbitMq> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-rabbitmq-'));
  const [port, tlsPort, distPort, epmdPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const user = { username: 'events', password: 'canary/secret+word=' };
  await writeFile(join(folder, 'definitions.json'), JSON.stringify(definitionsOf(user, options)));
  await writeFile(join(folder, 'rabbitmq.conf'), await configOf(folder, tlsPort, options));
  const env = {
    ...process.env,
    HOME: folder,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `posthorn${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
  };
  // Starts epmd here, because otherwise the broker starts one that outlives it.
  const names = spawnGroup('epmd', ['-port', String(epmdPort)], env);
  let server: ChildProcess | undefined;

  const start = async () => {
    const child = spawnGroup(PROGRAM, [], env);
    server = child;
    let log = '';
    const keep = (chunk: unknown) => (log = `${log}${String(chunk)}`.slice(-10_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    await waitForServer(child, 'RabbitMQ', () => answers(port)).catch(async (error: unknown) => {
      await kill();
      throw new Error(`RabbitMQ does not answer; it wrote:\n${log}`, { cause: error });
    });
  };
  const kill = async () => {
    const child = server;
    server = undefined;
    if (child !== undefined) await endGroup(child);
  };
  await start();
  return {
    port,
    tlsPort,
    ...user,
    kill,
    start,
    async control(...args) {
      const { stdout } = await run(CONTROL, ['-n', env.RABBITMQ_NODENAME, ...args], { env, timeout: 60_000 });
      return stdout;
    },
    async stop() {
      await kill();
      await endGroup(names);
      // The script has ended, but a process that it started may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !isRunning(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function configOf(folder: string, tlsPort: number, { certificate, maxMessageBytes }: RabbitMqOptions) {
  const lines = [`load_definitions = ${join(folder, 'definitions.json')}`, 'log.file = false'];
  if (maxMessageBytes !== undefined) lines.push(`max_message_size = ${maxMessageBytes}`);
  if (certificate !== undefined) {
    const { cert, key } = certificate;
    await Promise.all([writeFile(join(folder, 'cert.pem'), cert), writeFile(join(folder, 'key.pem'), key)]);
    lines.push(`listeners.ssl.1 = 127.0.0.1:${tlsPort}`);
    for (const name of ['cacertfile', 'certfile']) lines.push(`ssl_options.${name} = ${join(folder, 'cert.pem')}`);
    lines.push(`ssl_options.keyfile = ${join(folder, 'key.pem')}`);
  }
  return `${lines.join('\n')}\n`;
}

function definitionsOf(
  { username, password }: { username: string; password: string },
  { users = [] }: RabbitMqOptions,
) {
  const all = { configure: '.*', read: '.*', vhost: '/' };
  return {
    vhosts: [{ name: '/' }],
    users: [{ name: username, password }, ...users].map((user) => ({
      ...{ name: user.name, password: user.password },
      tags: [],
    })),
    permissions: [
      { ...all, user: username, write: '.*' },
      ...users.flatMap(({ name, mayWrite }) =>
        mayWrite === undefined ? [] : [{ user: name, vhost: '/', configure: '^$', write: mayWrite, read: '^$' }],
      ),
    ],
  };
}

/** True if the server speaks AMQP: it answers a wrong greeting with the right one. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('AMQP\0\0\0\0'));
    socket.once('data', (data) => end(data.toString('latin1').startsWith('AMQP')));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
  });
}
