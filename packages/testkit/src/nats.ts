import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type NatsPermissions, newNatsKey } from './nats-credentials.ts';
import type { ReceiverCertificate } from './receiver-certificate.ts';
import { waitFor } from './wait-for.ts';
import { waitForServer } from './wait-for-server.ts';

const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
/** The program that e2e/brokers/install-nats.sh installs. */
const PROGRAM = join(TOOLS, 'nats-2.15.1/bin/nats-server');

/** A server with JetStream, on the loopback address. Its users are in `NATS_USERS`. */
export type NatsServer = {
  /** The server's address as `127.0.0.1:port`. */
  address: string;
  /** The seed of a user with the permissions of `events`; empty with an operator. */
  nkeySeed: string;
  /** Kills the server, as in a crash. */
  kill: () => Promise<void>;
  /** Starts the server again, with the same port and data. */
  start: () => Promise<void>;
  /** Gives the user `events` another password, and closes the user's connections. */
  setPassword: (password: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** `admin` may do everything. `events` may publish to `events.>` and `order.>`, and look for streams. */
export const NATS_USERS = {
  admin: { user: 'admin', password: 'admin' },
  events: { user: 'events', password: 'canary/secret+word=' },
};

/** True if nats-server is installed. Otherwise prints which tests are skipped. */
export function hasNats(): boolean {
  if (existsSync(PROGRAM)) return true;
  process.stderr.write('skipped  tests of NATS destinations: sh e2e/brokers/install-nats.sh installs nats-server\n');
  return false;
}

/** The permissions of the user `events`. */
export const NATS_PERMISSIONS: NatsPermissions = {
  publish: ['events.>', 'order.>', '$JS.API.STREAM.NAMES'],
  subscribe: ['_INBOX.>'],
};

type Options = {
  certificate?: ReceiverCertificate;
  maxPayload?: number;
  /** The server's users, instead of `NATS_USERS`. */
  operator?: { lines: string[] };
};

/** Starts a server. With a certificate, it requires TLS. */
export async function startNats({ certificate, maxPayload = 1_048_576, operator }: Options = {}): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-nats-'));
  const port = await freePort();
  const [config, key, cert] = ['nats.conf', 'key.pem', 'cert.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  if (certificate !== undefined) {
    await Promise.all([writeFile(key, certificate.key), writeFile(cert, certificate.cert)]);
  }
  const { admin, events } = NATS_USERS;
  const { seed, publicKey: nkey } = newNatsKey();
  const permissions = NATS_PERMISSIONS;
  const configure = (password: string) => {
    const users = [admin, { ...events, password, permissions }, { nkey, permissions }];
    return writeFile(
      config,
      [
        `listen: "127.0.0.1:${port}"`,
        `max_payload: ${maxPayload}`,
        `jetstream: { store_dir: ${JSON.stringify(folder)}, max_file_store: 268435456 }`,
        // The address of another server of the cluster. Clients must not connect to it.
        `client_advertise: "10.11.12.13:${port}"`,
        ...(certificate !== undefined
          ? [`tls: { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)} }`]
          : []),
        ...(operator?.lines ?? [`authorization: { users: ${JSON.stringify(users)} }`]),
      ].join('\n'),
    );
  };
  await configure(events.password);
  let server: ChildProcess | undefined;
  let log = '';

  const start = async () => {
    const child = spawn(PROGRAM, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    server = child;
    log = '';
    child.stderr.on('data', (chunk) => (log = `${log}${String(chunk)}`.slice(-10_000)));
    const isReady = async () => (await greets(port)) && log.includes('Server is ready');
    await waitForServer(child, 'NATS', isReady).catch(async (error: unknown) => {
      await kill();
      throw new Error(`NATS does not answer; it wrote:\n${log}`, { cause: error });
    });
  };
  const kill = async () => {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    address: `127.0.0.1:${port}`,
    nkeySeed: operator === undefined ? seed : '',
    kill,
    start,
    async setPassword(password) {
      await configure(password);
      log = '';
      server?.kill('SIGHUP');
      await waitFor(() => log.includes('Reloaded server configuration'), { what: 'NATS to read its configuration' });
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** True if the server sends its greeting to clients. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    const socket = connect(port, '127.0.0.1');
    socket.once('data', (data) => end(data.toString('latin1').startsWith('INFO ')));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
