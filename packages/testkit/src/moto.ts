import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { waitForServer } from './wait-for-server.ts';

const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
/** The program that e2e/brokers/install-moto.sh installs. */
const PROGRAM = join(TOOLS, 'moto-5.2.5/bin/moto_server');

/** A server with the interfaces of SQS, SNS, Kinesis, EventBridge, S3 and STS, all at one URL. */
export type Moto = { url: string; stop: () => Promise<void> };

/** True if moto is installed. Otherwise prints which tests are skipped. */
export function hasMoto(): boolean {
  if (existsSync(PROGRAM)) return true;
  process.stderr.write('skipped  tests of AWS destinations: sh e2e/brokers/install-moto.sh installs moto\n');
  return false;
}

export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const child = spawn(PROGRAM, ['-H', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => (log = `${log}${String(chunk)}`.slice(-10_000)));
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForServer(child, 'moto', async () => (await fetch(`${url}/moto-api/`)).ok).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`moto does not answer; it wrote:\n${log}`, { cause: error });
  });
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
