import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { certificateFiles, readServerCertificate } from '../certificates.ts';
import { Failure } from '../failure.ts';
import { aborted, type Run, runToEnd } from '../run.ts';
import { say, sayBlock } from '../say.ts';
import { homeOf } from '../settings.ts';
import { asJson, inWords, type Verdict } from './describe-webhook.ts';
import { type Answer, type HttpsServer, openHttpsServer } from './https-server.ts';
import { type ReceiverOptions, readOptions, USAGE } from './options.ts';
import { createSecretSource, type FoundSecrets } from './secret-source.ts';
import { verifies } from './verifies.ts';

process.exit(await runToEnd(receive));

/** Listens until it is stopped, and shows each webhook. */
async function receive(run: Run): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const home = homeOf(process.env);
  const findSecrets = createSecretSource({ ...options, home, signal: run.signal });
  const server = await open(home, options, createAnswer(run, options, findSecrets));
  run.onStop({ name: 'receiver', hurryAfterMs: 0, stop: server.close });
  say(
    'receiver',
    `listens on https://127.0.0.1:${server.port} (also as https://localhost:${server.port}); Ctrl-C stops it`,
  );
  say('receiver', `certificate of the authority ${certificateFiles(home).authority}, which npm start trusts`);
  await aborted(run.signal);
  throw run.signal.reason;
}

function createAnswer(
  run: Run,
  options: ReceiverOptions,
  findSecrets: (webhook: { path: string; headers: IncomingHttpHeaders }) => Promise<FoundSecrets>,
): (request: IncomingMessage, body: Buffer) => Promise<Answer> {
  return async ({ method = '', url = '', headers }, body) => {
    const receivedAt = run.clock.now();
    const verdict = judge(await findSecrets({ path: url, headers }), body, headers);
    const status = statusFor(verdict, options.status);
    const webhook = { receivedAt, method, path: url, headers, body, verdict, status };
    if (options.json) process.stdout.write(`${asJson(webhook)}\n`);
    else sayBlock(inWords(webhook));
    return { status };
  };
}

function judge(found: FoundSecrets, body: Buffer, headers: IncomingHttpHeaders): Verdict {
  if (found.kind === 'unknown') return found;
  const isVerified = found.secrets.some((secret) => verifies(secret, body, headers));
  return { kind: isVerified ? 'verified' : 'not_verified' };
}

/** What does not verify, or is too old, is refused. What cannot be checked is asked for again. */
function statusFor(verdict: Verdict, chosen: number): number {
  switch (verdict.kind) {
    case 'verified':
      return chosen;
    case 'not_verified':
      return 400;
    case 'unknown':
      return 503;
  }
}

async function open(
  home: string,
  { port }: ReceiverOptions,
  answer: (request: IncomingMessage, body: Buffer) => Promise<Answer>,
): Promise<HttpsServer> {
  const certificate = readServerCertificate(home);
  if (certificate === undefined) {
    throw new Failure(
      `There is no certificate in ${certificateFiles(home).certificate}.`,
      'Run npm start once: it makes the certificate. For another home, set POSTHORN_HOME.',
    );
  }
  try {
    return await openHttpsServer({ certificate, ports: [port], answer });
  } catch (error) {
    throw new Failure(
      `Port ${port} cannot be used: ${error instanceof Error ? error.message : error}`,
      'Choose another: npm run receiver -- --port 9444',
    );
  }
}
