import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SIGNATURE_PRESETS } from '@posthorn/contract/signature';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Service, startService } from '../contract/service.ts';
import { lackOf, saySkipped } from './tools.ts';

// The providers' own libraries verify what Posthorn sends. The libraries are downloaded, so this runs like the
// generators: `CLIENTS=quick npm test -- e2e/clients/signatures`. Outpost has no library, and Convoy's library for
// Python does not read the timestamp of advanced signatures. signature-headers.test.ts has their forms.

const HERE = fileURLToPath(new URL('./programs/', import.meta.url));
const isWanted = (process.env.CLIENTS ?? '') !== '';
const LIBRARIES = [
  '@octokit/webhooks-methods@6.0.0',
  '@shopify/shopify-api@11.14.1',
  '@slack/bolt@5.1.0',
  'hook0-client@1.1.0',
  'stripe@23.1.0',
  'svix@2.5.0',
];
const CONVOY = 'convoy-python==0.2.0';
const FETCH_MS = 300_000;

let service: Service;
let receiver: Receiver;
let folder: string;
beforeAll(async () => {
  if (!isWanted) return;
  folder = mkdtempSync(join(tmpdir(), 'posthorn-signatures-'));
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1 });
}, FETCH_MS);
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  if (isWanted) rmSync(folder, { recursive: true, force: true });
});

type Request = { name: string; preset: string; body: string; headers: Record<string, string>; secret: string };

const secretOf = (preset: string, word: string) =>
  preset === 'svix' ? `whsec_${Buffer.from(word.repeat(8)).toString('base64')}` : `${word} of theirs`;

/** Real deliveries of an endpoint with each preset, before and after a rotation. */
async function deliveries(): Promise<Request[]> {
  const { make, manage, ingest } = service.workspace;
  const requests: Request[] = [];
  for (const preset of SIGNATURE_PRESETS) {
    const secret = secretOf(preset, 'secret');
    const config = { signature: preset, standardHeaders: false };
    const id = await make('/endpoints', { url: `${receiver.url}${preset}`, config, secret });
    const send = async (name: string, signedWith: string) => {
      const body = JSON.stringify({ name, total: 19.5, city: 'Zürich' });
      const { length } = receiver.requests;
      await ingest(id, body);
      const received = await waitFor(() => receiver.requests[length], { what: `the delivery ${name}` });
      const headers = Object.fromEntries(Object.entries(received.headers).map(([key, value]) => [key, `${value}`]));
      requests.push({ name, preset, body: received.body.toString(), headers, secret: signedWith });
    };
    await send(`${preset} before`, secret);
    const rotated = secretOf(preset, 'newest');
    await manage('POST', `/endpoints/${id}/secret/rotate`, { secret: rotated });
    await send(`${preset} rotated`, rotated);
  }
  return requests;
}

async function accepted(command: string, args: string[], requests: Request[]): Promise<string[]> {
  const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], timeout: FETCH_MS });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(requests));
  const output = await text(child.stdout);
  await ended;
  return JSON.parse(output);
}

async function install(command: string, args: string[]): Promise<void> {
  const [code] = await once(spawn(command, args, { cwd: folder, stdio: 'ignore', timeout: FETCH_MS }), 'exit');
  expect([command, ...args, code]).toEqual([command, ...args, 0]);
}

(isWanted ? test : test.skip)(
  'the providers’ own libraries accept what Posthorn sends, even after a rotation, and refuse a changed body and another secret',
  async () => {
    const genuine = await deliveries();
    const changed = genuine.map((one) => ({ ...one, name: `${one.name}, changed`, body: `${one.body} ` }));
    const foreign = genuine.map((one) => ({
      ...one,
      name: `${one.name}, foreign`,
      secret: secretOf(one.preset, 'stolen'),
    }));
    const all = [...genuine, ...changed, ...foreign];
    const namesOf = (has: (preset: string) => boolean) =>
      genuine.filter((one) => has(one.preset)).map(({ name }) => name);

    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    cpSync(join(HERE, 'verify-signatures.mjs'), join(folder, 'verify-signatures.mjs'));
    await install('npm', ['install', '--no-audit', '--no-fund', ...LIBRARIES]);
    const notInNode = (preset: string) => preset === 'outpost' || preset.startsWith('convoy');
    expect(await accepted('node', ['verify-signatures.mjs'], all)).toEqual(namesOf((preset) => !notInNode(preset)));

    const lack = lackOf('python3');
    if (lack !== undefined) return saySkipped('the signatures of Convoy', [lack]);
    cpSync(join(HERE, 'verify_convoy.py'), join(folder, 'verify_convoy.py'));
    await install('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, CONVOY]);
    expect(await accepted('python3', ['verify_convoy.py'], all)).toEqual(namesOf((preset) => preset === 'convoy'));
  },
  2 * FETCH_MS,
);
