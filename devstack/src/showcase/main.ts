import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeError } from '@posthorn/runtime/describe-error';
import { readServerCertificate } from '../certificates.ts';
import { Failure } from '../failure.ts';
import { readInstanceFile } from '../instance-file.ts';
import { type Api, createApi, field, strict } from '../management-api.ts';
import { readIfThere, writePrivateFile } from '../private-file.ts';
import { type Answer, type HttpsServer, openHttpsServer } from '../receiver/https-server.ts';
import { type Run, runToEnd } from '../run.ts';
import { say } from '../say.ts';
import { homeOf } from '../settings.ts';
import { createReaction } from './behaviours.ts';
import { ENDPOINTS, makeEvent } from './contents.ts';
import { setUp } from './set-up.ts';

const USAGE = `usage: npm run demo -- [options]

Fills the running instance of npm start (POSTHORN_HOME, default .posthorn) with a workspace in which something happens:
3 customers, 6 event types, 8 endpoints in every state of health, and events until Ctrl-C. It uses the public interface
only. A further run uses what an earlier one has made.

  --rate RATE    events a second, 1 to 50 (default 3)
  --help         show this text
`;

const PORT = 9_444;
const REPORT_EVERY_SECONDS = 10;

process.exit(await runToEnd(demo));

async function demo(run: Run): Promise<number> {
  const { rate, help } = readOptions(process.argv.slice(2));
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const home = homeOf(process.env);
  const { baseUrl, workspaceId, environmentId, managementToken, apiKey, login } = readInstanceFile(home);
  const server = await openReceivers(run, home);
  run.onStop({ name: 'receivers', hurryAfterMs: 0, stop: server.close });
  say('demo', `receivers on https://127.0.0.1:${server.port}`);

  const root = `/management/v1/workspaces/${workspaceId}`;
  const receiverUrl = `https://127.0.0.1:${server.port}`;
  await setUp({ api: createApi(baseUrl, managementToken, run.signal), root, environmentId, receiverUrl });
  say('demo', `3 customers, 6 event types and ${ENDPOINTS.length} endpoints are there; ${rate} events a second follow`);
  say('demo', `look at them: ${baseUrl} (${login.email} / ${login.password}); Ctrl-C stops the events`);
  return await sendEvents(run, strict(createApi(baseUrl, apiKey, run.signal)), rate);
}

function readOptions(args: string[]): { rate: number; help: boolean } {
  const next = 'npm run demo -- --help lists the options.';
  try {
    const options = { rate: { type: 'string' }, help: { type: 'boolean' } } as const;
    const { rate = '3', help = false } = parseArgs({ args, options }).values;
    const value = /^\d{1,5}$/.test(rate) ? Number(rate) : 0;
    if (value >= 1 && value <= 50) return { rate: value, help };
  } catch (error) {
    throw new Failure(describeError(error), next, 2);
  }
  throw new Failure('--rate must be a whole number from 1 to 50.', next, 2);
}

/** One server for all demo endpoints; the path names the endpoint. The port of an earlier run is used if it is free. */
async function openReceivers(run: Run, home: string): Promise<HttpsServer> {
  const certificate = readServerCertificate(home);
  if (certificate === undefined) throw new Failure(`${home} has no certificate.`, 'Run npm start again.');
  const reactions = new Map(ENDPOINTS.map(({ key, behaviour }) => [`/${key}`, createReaction(behaviour)]));
  // Each waiting answer listens to the signal, and slow endpoints have many of them. This is not a leak.
  setMaxListeners(0, run.signal);
  const answer = async ({ url = '' }: IncomingMessage): Promise<Answer> => {
    const reaction = reactions.get(url)?.(run.clock.monotonicMs(), Math.random);
    if (reaction === undefined) return { status: 404 };
    await sleep(reaction.afterMs, undefined, { signal: run.signal });
    return reaction.answer;
  };
  const portFile = join(home, 'receiver/demo-port');
  const server = await openHttpsServer({ certificate, ports: [Number(readIfThere(portFile) ?? PORT), 0], answer });
  writePrivateFile(portFile, String(server.port));
  return server;
}

/** Sends a batch each second until the run ends. If the instance restarts, it waits for it. */
async function sendEvents(run: Run, ingest: Api, rate: number): Promise<number> {
  let accepted = 0;
  let problem = '';
  for (let second = 1; ; second += 1) {
    run.signal.throwIfAborted();
    const events = Array.from({ length: rate }, (_, index) => makeEvent(second * rate + index, Math.random));
    try {
      const { body } = await ingest('POST', '/api/ingest/batch', { events });
      const results = field(body, 'results');
      const refused = Array.isArray(results)
        ? results.find((result) => field(result, 'error') !== undefined)
        : undefined;
      if (refused !== undefined) throw new Error(String(field(field(refused, 'error'), 'message')));
      accepted += events.length;
      problem = '';
    } catch (error) {
      run.signal.throwIfAborted();
      if (describeError(error) !== problem) say('demo', `events are not accepted: ${describeError(error)}`);
      problem = describeError(error);
    }
    if (second % REPORT_EVERY_SECONDS === 0) say('demo', `${accepted} events accepted`);
    await sleep(1_000, undefined, { signal: run.signal });
  }
}
