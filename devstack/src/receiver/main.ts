import { certificateFiles, readServerCertificate } from '../certificates.ts';
import { Failure } from '../failure.ts';
import { aborted, type Run, runToEnd } from '../run.ts';
import { say } from '../say.ts';
import { homeOf } from '../settings.ts';
import { type AnswerTo, createAnswer } from './answer.ts';
import { type HttpsServer, openHttpsServer } from './https-server.ts';
import { type ReceiverOptions, readOptions, USAGE } from './options.ts';
import { fetchWebhooks } from './pull.ts';
import { createSecretSource } from './secret-source.ts';

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
  const answer = createAnswer(run, options, findSecrets);
  if (options.pull) return fetchWebhooks(run, home, answer);
  const server = await open(home, options, answer);
  run.onStop({ name: 'receiver', hurryAfterMs: 0, stop: server.close });
  say(
    'receiver',
    `listens on https://127.0.0.1:${server.port} (also as https://localhost:${server.port}); Ctrl-C stops it`,
  );
  say('receiver', `certificate of the authority ${certificateFiles(home).authority}, which npm start trusts`);
  await aborted(run.signal);
  throw run.signal.reason;
}

async function open(home: string, { port }: ReceiverOptions, answer: AnswerTo): Promise<HttpsServer> {
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
