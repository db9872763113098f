import { inspect } from 'node:util';
import type { List, Posthorn } from '@posthorn/client';

// Makes the calls of sdks/conformance, each of which names a resource and a method, with the TypeScript library.

export type Payload = { json?: unknown; text?: string; repeat?: number; base64?: string };

export type Call = {
  /** Missing for a method of the client itself. */
  resource?: string;
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

export type Outcome = { result: unknown } | { error: object };

export async function makeCall(posthorn: Posthorn, call: Call): Promise<Outcome> {
  try {
    if (call.repeat === undefined) return { result: (await makeOnce(posthorn, call)) ?? null };
    const results: unknown[] = [];
    for (let n = 0; n < call.repeat; n += 1) {
      results.push(await makeOnce(posthorn, call).catch((error) => (call.ignoreErrors ? null : Promise.reject(error))));
    }
    return { result: results };
  } catch (error) {
    return { error: describeError(error as Error) };
  }
}

export function describeError(error: Error): object {
  const { results, unsent } = error as Error & { results?: unknown[]; unsent?: unknown[] };
  return {
    ...error,
    // The platform makes the reason of `AbortSignal.timeout`, which stands here for a caller that gives up.
    type: error instanceof DOMException ? 'Aborted' : error.name,
    message: error.message,
    text: inspect(error, { depth: 9, showHidden: true }),
    results: results?.length,
    unsent: unsent?.length,
  };
}

export function payloadOf({ json, text, base64, repeat = 1 }: Payload): unknown {
  if (text !== undefined) return text.repeat(repeat);
  return base64 === undefined ? json : new Uint8Array(Buffer.from(base64, 'base64'));
}

type Method = (...args: unknown[]) => unknown;

async function makeOnce(posthorn: Posthorn, call: Call): Promise<unknown> {
  const { abortAfterMs, ...given } = call.options ?? {};
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [camelCase(name), value]);
  const options = { ...Object.fromEntries(query), ...given };
  if (abortAfterMs !== undefined) options.signal = AbortSignal.timeout(abortAfterMs);
  const all = posthorn as unknown as Record<string, Record<string, Method>>;
  const resource = call.resource === undefined ? (all as unknown as Record<string, Method>) : all[call.resource];
  if (typeof resource?.[call.method] !== 'function') throw new Error(`no method ${call.resource}.${call.method}`);
  const answer = resource[call.method]?.(
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

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
