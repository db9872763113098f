import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ReceiverCertificate, receiverCertificate } from './receiver-certificate.ts';

const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
/** The program that e2e/brokers/install-pubsub.sh installs. */
const PROGRAM = join(TOOLS, 'pubsub-2.9.0/pubsub');

/** The fake server of Google's library, which checks tokens as Google does. It loses its messages when it stops. */
export type PubSubServer = {
  /**
   * The addresses (`host:port`): `open` without TLS, `secure` with the certificate `good` of receiver-certificate.ts.
   */
  open: string;
  secure: string;
  /** The key file of the only service account that may publish. Its tokens need the audience `https://<host>/`. */
  accountJson: string;
  stop: () => Promise<void>;
};

/** True if the server is installed. Otherwise prints which tests are skipped. */
export function hasPubSub(): boolean {
  if (existsSync(PROGRAM)) return true;
  process.stderr.write('skipped  tests of Pub/Sub destinations: sh e2e/brokers/install-pubsub.sh builds the server\n');
  return false;
}

type Options = {
  /** The host name by which clients reach the server. */
  host?: string;
  /** The server's certificate. By default, one that a test run trusts. */
  certificate?: ReceiverCertificate;
};

export async function startPubSub({ host = 'localhost', certificate: given }: Options = {}): Promise<PubSubServer> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-pubsub-'));
  const certificate = given ?? (await receiverCertificate('good'));
  const account = newAccount();
  const files = { cert: certificate.cert, key: certificate.key, public: account.publicKey };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const named = Object.keys(files).flatMap((name) => [`-${name}`, join(folder, name)]);
  const child = spawn(PROGRAM, [...named, '-audience', `https://${host}/`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => (log = `${log}${String(chunk)}`.slice(-10_000)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`the server of Pub/Sub has ended; it wrote:\n${log}`))),
  ]);
  // Stops Google's client for Node from looking for the metadata server of Google's cloud.
  process.env.METADATA_SERVER_DETECTION = 'none';
  const [open, secure] = String(line).split(' ');
  return {
    open: `${host}:${open}`,
    secure: `${host}:${secure}`,
    accountJson: account.json,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The key file of a new service account, in Google's format. */
export function newAccount(): { json: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const fields = {
    type: 'service_account',
    project_id: 'acme-prod',
    private_key_id: 'f00d',
    private_key: privateKey,
    client_email: 'events@acme-prod.iam.gserviceaccount.com',
    // A port at which nothing listens: no client may request a token.
    token_uri: 'http://127.0.0.1:9/token',
  };
  return { json: JSON.stringify(fields, null, 2), publicKey };
}
