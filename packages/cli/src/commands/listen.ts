import { isUtf8 } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type EndpointRead,
  type GiveBack,
  type PulledMessage,
  UnauthorizedError,
  ValidationError,
} from '@posthorn/client';
import { systemClock } from '@posthorn/runtime/clock';
import { type Call, type Row, readObject, required, text, texts, wholeNumber } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT, Usage } from '../failure.ts';
import { consume, type Tell } from '../listen/consume.ts';
import { type Answer, forward, readTarget, type Target } from '../listen/forward.ts';
import { readKeys } from '../listen/keys.ts';
import { createKey, dropWaiting, findListener, type Listener, ownName } from '../listen/listener.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { mayBeAnswered, pauseBeforeReconnect } from '../reconnect.ts';
import { oneLine, safeText } from '../safe-text.ts';
import { addressOf, openBrowser } from './open.ts';

export const listen: readonly Row[] = [
  {
    usage: 'listen <receiver>',
    summary: 'Receive webhooks on this machine, also what was missed while it was not connected',
    options: {
      '--types <names>': 'event types or patterns, with commas between them; all unless some are named',
      '--filter <json>': 'only events whose payload matches, as JSON, @file or -',
      '--application <id>': 'as an endpoint of this customer',
      '--path <path>': 'the path at the receiver',
      '--name <name>': 'of the endpoint that is kept between runs; yours on this machine unless another is named',
      '--ephemeral': 'delete the endpoint at the end',
      '--since <time>': 'begin with the events from this time, or from so long ago (2h), delivered events included',
      '--from-now': 'cancel what was missed',
      '--once':
        'end after one webhook; exit code 5 when it was refused. Without --name it keeps no endpoint, as --ephemeral',
      '--concurrency <n>': 'forward this many at the same time, which gives up their order',
      '--print <what>': 'body: print the payload, too',
      '--insecure': 'accept any certificate of the receiver',
      '--allow-external': 'the receiver may be on another machine',
    },
    examples: [
      'posthorn listen "$RECEIVER_URL" --types order.placed --once',
      'posthorn listen 3000 --path /webhooks',
      'posthorn listen 3000 --since 2h --print body',
    ],
    run: runListen,
  },
];

/** One line of output: a webhook that was forwarded. */
type Line = {
  time: string;
  id: string;
  eventId: string;
  eventType: string | null;
  attempt: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  body?: string;
};

const COLUMNS: Columns<Line> = {
  time: ({ time }) => time.slice(11, 19),
  type: ({ eventType }) => eventType,
  status: ({ status, error }) => status ?? error,
  duration: ({ durationMs }) => `${durationMs} ms`,
};

type Settings = ReturnType<typeof readSettings>;

function readSettings({ args, values }: Call) {
  const { print, since, fromNow } = values;
  if (print !== undefined && print !== 'body') throw new Usage('--print must be body');
  if (since !== undefined && fromNow) throw new Usage('--since and --from-now cannot be combined');
  if (values.ephemeral && values.name) throw new Usage('--name and --ephemeral cannot be combined');
  return {
    target: readTarget(required({ args, values }, 0), {
      path: text(values, 'path'),
      insecure: values.insecure === true,
      allowExternal: values.allowExternal === true,
    }),
    name: text(values, 'name') ?? (values.ephemeral || values.once ? undefined : ownName()),
    since: moment(values, 'since'),
    fromNow: fromNow === true,
    once: values.once === true,
    concurrency: values.once ? 1 : (wholeNumber(values, 'concurrency', { least: 1, most: 20 }) ?? 1),
    printsBody: print === 'body',
  };
}

/**
 * The time without an answer after which the command says so. The first requests retry several times, so their failure
 * comes later.
 */
const SILENCE_MS = 10_000;
/** Together these are less than the time that a command has after an interruption. */
const GIVES_BACK_WITHIN_MS = 4_000;
const DELETES_WITHIN_MS = 5_000;

async function runListen(context: Context, call: Call): Promise<number> {
  const settings = readSettings(call);
  const wanted = {
    name: settings.name,
    application: text(call.values, 'application'),
    types: texts(call.values, 'types'),
    filter: await readObject(context, call.values, 'filter'),
  };
  const silence = setTimeout(() => context.output.note('Not connected: Posthorn does not answer yet'), SILENCE_MS);
  const listener = await findListener(context, wanted).finally(() => clearTimeout(silence));
  try {
    return await receive(context, settings, listener);
  } finally {
    if (settings.name === undefined) await deleteEphemeral(context, listener.endpoint);
  }
}

/** Reports its error itself, because nothing else does after an interruption. */
async function deleteEphemeral({ client, output, signal }: Context, endpoint: EndpointRead): Promise<void> {
  const { id, environmentId } = endpoint;
  try {
    await client().endpoints.delete(id, { environmentId, signal: AbortSignal.timeout(DELETES_WITHIN_MS) });
  } catch (error) {
    const message = `The endpoint ${id} could not be deleted: ${(error as Error).message}`;
    const next = `posthorn endpoints delete ${id}`;
    if (signal.aborted) output.note(`${message}. Next: ${next}`);
    throw new CommandError({ exitCode: EXIT.unavailable, code: 'not_deleted', message, next });
  }
}

async function receive(context: Context, settings: Settings, { endpoint, pullKey }: Listener): Promise<number> {
  const { client, output, place, terminal } = context;
  const own = new AbortController();
  const signal = AbortSignal.any([context.signal, own.signal]);
  if (settings.fromNow) await dropWaiting(context, endpoint);
  if (settings.since !== undefined) {
    const body = { since: settings.since, mode: 'all', dryRun: false } as const;
    await client().endpoints.recover(endpoint.id, body, { environmentId: endpoint.environmentId, signal });
  }
  const shown = { last: undefined as Shown | undefined, refused: 0 };
  const work = async (message: PulledMessage): Promise<'more' | 'last'> => {
    const answer = await forward(settings.target, message, signal);
    const settled = await settleSurely(message, answer, signal);
    if (!settled) output.note(`${message.deliveryId} was leased again meanwhile: it arrives once more`);
    shown.last = { message, answer };
    if (!isAccepted(answer)) shown.refused += 1;
    await print(context, shown.last, settings.printsBody);
    return settings.once ? 'last' : 'more';
  };
  let exitCode: number = EXIT.ok;
  const end = (code: number) => {
    exitCode = code;
    own.abort();
  };
  const stopKeys = readKeys(terminal, keysOf(context, shown, end));
  // If the key was deleted, only the first consumer to notice replaces it.
  let replaced: Promise<string> | undefined;
  const replaceKey = async () => {
    if (settings.name === undefined) return undefined;
    replaced ??= createKey(context, endpoint.id, settings.name);
    return replaced;
  };
  const consumers = Array.from({ length: settings.concurrency }, (_, n) => {
    const tell = n === 0 ? tellOf(context, settings.target, endpoint.id) : SILENT;
    const from = { baseUrl: String(place.baseUrl), endpointId: endpoint.id, pullKey };
    return consumeWithKey(replaceKey, from, { tell, work, signal });
  });
  try {
    await Promise.all(consumers);
    return shown.refused > 0 ? EXIT.refused : EXIT.ok;
  } catch (error) {
    const isOurs = own.signal.aborted;
    own.abort();
    // Wait until each consumer has given its message back.
    await Promise.race([Promise.allSettled(consumers), pause(GIVES_BACK_WITHIN_MS, undefined, { ref: false })]);
    if (isOurs) return exitCode;
    throw error;
  } finally {
    stopKeys();
  }
}

const SILENT: Tell = { connected: () => undefined, lost: () => undefined };

/** `replaceKey` answers undefined where a key is not replaced. */
async function consumeWithKey(
  replaceKey: () => Promise<string | undefined>,
  place: Parameters<typeof consume>[0],
  rest: Parameters<typeof consume>[1],
): Promise<void> {
  try {
    await consume(place, rest);
  } catch (error) {
    const pullKey = error instanceof UnauthorizedError ? await replaceKey() : undefined;
    if (pullKey === undefined) throw error;
    await consume({ ...place, pullKey }, rest);
  }
}

function tellOf({ output }: Context, { url }: Target, endpointId: string): Tell {
  return {
    connected: (isFirst) =>
      output.note(isFirst ? `Ready: ${endpointId} forwards to ${url.href}; Ctrl-C ends this` : 'Connected again'),
    lost: (why) => output.note(`Not connected: ${why}. What happens meanwhile arrives later`),
  };
}

/**
 * Says it until the service has heard it: the receiver has the webhook, and must not get it once more because the connection
 * was away for a moment. False when the message has another holder now.
 */
async function settleSurely(message: PulledMessage, answer: Answer, signal: AbortSignal): Promise<boolean> {
  let told = toldOf(answer);
  for (let failures = 1; ; failures += 1) {
    try {
      return await (isAccepted(answer) ? message.ack(told) : message.nack(told));
    } catch (error) {
      // Not even an answer that the service does not keep may bring the webhook for ever.
      if (error instanceof ValidationError && told !== NOTHING) {
        told = NOTHING;
        continue;
      }
      if (signal.aborted || !mayBeAnswered(error)) throw error;
      await pauseBeforeReconnect(failures, signal);
    }
  }
}

const NOTHING: GiveBack = {};

function toldOf(answer: Answer): GiveBack {
  if (answer.kind === 'failed') return { reason: answer.reason };
  return { responseStatus: answer.status, responseBody: answer.body };
}

function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

type Shown = { message: PulledMessage; answer: Answer };

async function print({ output }: Context, { message, answer }: Shown, printsBody: boolean): Promise<void> {
  const body = printsBody ? bodyText(message.body) : undefined;
  const line: Line = {
    time: systemClock.now().toISOString(),
    id: message.deliveryId,
    eventId: message.eventId,
    eventType: message.eventType,
    attempt: message.attemptNumber,
    status: answer.kind === 'answered' ? answer.status : null,
    error: answer.kind === 'failed' ? answer.reason : null,
    durationMs: answer.durationMs,
    ...(body === undefined ? {} : { body }),
  };
  await output.follow([line], COLUMNS);
  if (body !== undefined && output.format === 'table') output.text(safeText(body));
}

function bodyText(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('base64');
}

function keysOf(context: Context, shown: { last: Shown | undefined }, end: (exitCode: number) => void) {
  const { client, output, place } = context;
  const withLast = (act: (last: Shown) => Promise<unknown>) => () => {
    if (shown.last === undefined) return output.note('Nothing has arrived yet');
    act(shown.last).catch((error: Error) => output.note(error.message));
  };
  return {
    // A retry goes through the service, so that the webhook is signed anew and the attempt is recorded.
    r: withLast(({ message }) => client().deliveries.retry(message.deliveryId)),
    o: withLast(async ({ message }) => {
      const workspaceId = place.workspaceId ?? (await client().me.get()).workspace.id;
      const url = `${addressOf(place, workspaceId)}/~/${message.deliveryId}`;
      if (!(await openBrowser(url))) output.text(oneLine(url));
    }),
    d: withLast(async ({ message, answer }) => output.text(describe(message, answer))),
    q: () => end(EXIT.ok),
    interrupt: () => end(EXIT.interrupted),
  };
}

function describe({ deliveryId, attemptNumber, headers, body }: PulledMessage, answer: Answer): string {
  const lines = [
    `${deliveryId}, attempt ${attemptNumber}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    bodyText(body),
    '',
    answer.kind === 'failed' ? `no answer: ${answer.reason}` : `answered ${answer.status}`,
    ...(answer.kind === 'answered' && answer.body !== '' ? [answer.body] : []),
  ];
  return safeText(lines.join('\n'));
}
