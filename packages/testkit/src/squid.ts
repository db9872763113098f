import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

const PROGRAM = '/usr/sbin/squid';

/** True if Debian's Squid is installed: `apt-get install squid`. */
export const hasSquid = existsSync(PROGRAM);

export type Squid = {
  /** The proxy's URL, with the user and password that it requires. */
  url: string;
  /** The lines of its log so far, one for each request that has ended. */
  log(): Promise<string[]>;
  close(): Promise<void>;
};

/** Squid on a free port of this machine, with its own configuration. It answers 403 to a CONNECT to `forbiddenPort`. */
export async function startSquid({ forbiddenPort }: { forbiddenPort: number }): Promise<Squid> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-squid-'));
  // Squid writes as its own user when root starts it.
  await chmod(folder, 0o777);
  const [port, logFile, configFile] = [await freePort(), join(folder, 'access.log'), join(folder, 'squid.conf')];
  await writeFile(
    configFile,
    `http_port 127.0.0.1:${port}
pid_filename none
cache deny all
cache_log ${folder}/cache.log
access_log stdio:${logFile}
netdb_filename none
shutdown_lifetime 0 seconds
auth_param basic program /usr/lib/squid/basic_fake_auth
acl known proxy_auth REQUIRED
acl forbidden port ${forbiddenPort}
http_access deny !known
http_access deny forbidden
http_access allow all
`,
  );
  const squid = spawn(PROGRAM, ['-N', '-f', configFile], { stdio: 'ignore' });
  await waitFor(() => answers(port), { what: 'Squid to listen' });
  return {
    url: `http://posthorn:any@127.0.0.1:${port}`,
    log: async () => (existsSync(logFile) ? (await readFile(logFile, 'utf8')).split('\n').filter(Boolean) : []),
    async close() {
      await end(squid);
      await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function end(squid: ChildProcess): Promise<void> {
  if (squid.exitCode !== null || squid.signalCode !== null) return;
  const ended = once(squid, 'exit');
  squid.kill('SIGKILL');
  await ended;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
