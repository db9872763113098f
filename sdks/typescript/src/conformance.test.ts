import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Posthorn, type PosthornOptions } from './index.ts';
import type { List } from './list.ts';
import { sign, verify } from './webhooks.ts';

// sdks/conformance/README.md says how a case is run.

const conformance = new URL('../../conformance/', import.meta.url);

type Case = { id: string; name: string };
type Payload = { json?: unknown; text?: string; base64?: string };
type Call = {
  resource: string;
  method: string;
  path?: string[];
  body?: unknown;
  query?: Record<string, unknown>;
  payload?: Payload;
  events?: unknown[];
  options?: Record<string, unknown> & { abortAfterMs?: number };
  read?: 'all' | 'page' | { limit: number };
  take?: number;
  repeat?: number;
  ignoreErrors?: boolean;
};
type Begun = { client: PosthornOptions; environment: Record<string, string>; call: Call | null };

const server = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', conformance))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const control = await readUrl(server);
const cases = (await (await fetch(`${control}/cases`)).json()) as Case[];

afterAll(() => {
  server.stdin?.end();
});

test.each(cases.map(({ id, name }) => [id, name]))('%s: %s', async (id) => {
  const begun = (await post(`/cases/${id}/begin`)) as Begun;
  const { faults } = (await post(`/cases/${id}/end`, await run(begun))) as { faults: string[] };
  expect(faults).toEqual([]);
});

type Vector = {
  name: string;
  payload: Payload;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  toleranceSeconds?: number;
  expect: { id: string; timestamp: number } | { reason: string };
};
type SignVector = { name: string; payload: Payload; secret: string; id: string; timestamp: number; headers: unknown };
const vectors = JSON.parse(readFileSync(new URL('signature.json', conformance), 'utf8')) as {
  cases: Vector[];
  signs: SignVector[];
};

describe('signature', () => {
  test.each(vectors.cases.map((one) => [one.name, one] as const))('%s', async (_name, vector) => {
    const { payload, headers, secrets, now, toleranceSeconds } = vector;
    const verified = verify(payloadOf(payload) as string | Uint8Array, headers, secrets, {
      now: new Date(now * 1_000),
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
    if ('reason' in vector.expect) {
      await expect(verified).rejects.toMatchObject({ name: 'WebhookVerificationError', ...vector.expect });
    } else {
      const { id, timestamp, payload: bytes } = await verified;
      expect({ id, timestamp: timestamp.getTime() / 1_000 }).toEqual(vector.expect);
      expect(Buffer.from(bytes)).toEqual(Buffer.from(payloadOf(payload) as string));
    }
  });

  test.each(vectors.signs.map((one) => [one.name, one] as const))('%s', async (_name, vector) => {
    const { payload, secret, id, timestamp, headers } = vector;
    const signed = sign(payloadOf(payload) as string, secret, { id, timestamp: new Date(timestamp * 1_000) });
    await expect(signed).resolves.toEqual(headers);
  });
});

async function run({ client, environment, call }: Begun): Promise<object> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const posthorn = new Posthorn(client);
    if (call === null) return { result: null };
    if (call.repeat === undefined) return { result: (await make(posthorn, call)) ?? null };
    const results: unknown[] = [];
    for (let n = 0; n < call.repeat; n += 1) {
      results.push(await make(posthorn, call).catch((error) => (call.ignoreErrors ? null : Promise.reject(error))));
    }
    return { result: results };
  } catch (error) {
    return { error: describeError(error as Error) };
  } finally {
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

async function make(posthorn: Posthorn, call: Call): Promise<unknown> {
  const { abortAfterMs, ...given } = call.options ?? {};
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [camelCase(name), value]);
  const options = { ...Object.fromEntries(query), ...given };
  if (abortAfterMs !== undefined) options.signal = AbortSignal.timeout(abortAfterMs);
  const resource = (posthorn as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
    call.resource
  ];
  const answer = resource?.[call.method]?.(
    ...(call.path ?? []),
    ...(call.payload === undefined ? [] : [payloadOf(call.payload)]),
    ...(call.events === undefined ? [] : [call.events]),
    ...(call.body === undefined ? [] : [call.body]),
    options,
  );
  if (call.take !== undefined) return take(answer as AsyncIterable<unknown>, call.take);
  const list = answer as List<unknown>;
  if (call.read === 'page') return list.page();
  if (call.read === 'all') return list.toArray({ limit: 1_000 });
  if (call.read !== undefined) return list.toArray(call.read);
  return answer;
}

async function take(changes: AsyncIterable<unknown>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for await (const change of changes) {
    if (taken.push(change) === count) break;
  }
  return taken;
}

function describeError(error: Error): object {
  const fields = error as Error & { results?: unknown[]; unsent?: unknown[] };
  return {
    ...error,
    type: error.name === 'AbortError' || error === undefined || isAbort(error) ? 'Aborted' : error.name,
    message: error.message,
    text: inspect(error, { depth: 9, showHidden: true }),
    results: fields.results?.length,
    unsent: fields.unsent?.length,
  };
}

/** `AbortSignal.timeout`, which stands for a caller who gives up, has a reason of the platform's own. */
function isAbort(error: Error): boolean {
  return error instanceof DOMException;
}

function payloadOf({ json, text, base64 }: Payload): unknown {
  if (text !== undefined) return text;
  return base64 === undefined ? json : new Uint8Array(Buffer.from(base64, 'base64'));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function post(path: string, body?: object): Promise<unknown> {
  const response = await fetch(control + path, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the conformance server has no output');
  const [line] = (await once(createInterface(stdout), 'line')) as [string];
  return (JSON.parse(line) as { url: string }).url;
}
