import { OptionError } from './errors.ts';

/**
 * The options of a client. An absent one is read from its environment variable: `POSTHORN_BASE_URL`, `POSTHORN_TOKEN`,
 * …
 */
export type PosthornOptions = {
  /** The address of the service, such as `https://posthorn.example.com`. */
  baseUrl?: string | undefined;
  /** A management token (`phm_…`), a portal session's token (`php_…`), or a person's session token (`phs_…`). */
  token?: string | undefined;
  /** An API key (`phk_…`), which sends events. */
  apiKey?: string | undefined;
  /** A pull key (`phpl_…`), which fetches the messages of one endpoint. */
  pullKey?: string | undefined;
  /** Default: the workspace of the token. */
  workspaceId?: string | undefined;
  /** The time limit of each try, until its response is complete. Default: 15,000. */
  timeoutMs?: number | undefined;
  /** How often a failed request is tried again. Default: 2. 0 means never. */
  retries?: number | undefined;
  /** A `fetch` to use instead, such as for a proxy or a test. */
  fetch?: typeof globalThis.fetch | undefined;
};

export type Settings = {
  baseUrl: string;
  token: string | undefined;
  apiKey: string | undefined;
  pullKey: string | undefined;
  workspaceId: string | undefined;
  timeoutMs: number;
  retries: number;
  fetch: typeof globalThis.fetch;
};

const OPTIONS = [
  ...(['baseUrl', 'token', 'apiKey', 'pullKey', 'workspaceId', 'timeoutMs', 'retries', 'fetch'] as const),
] satisfies (keyof PosthornOptions)[];

const VISIBLE = /^[\x21-\x7e]+$/;
const PRINTABLE = /^[\x20-\x7e]+$/;
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** Reads the options. Throws an OptionError, which names the option and never shows a credential. */
export function readOptions(options: PosthornOptions): Settings {
  refuseUnknown(options, OPTIONS);
  const token = options.token ?? readVariable('POSTHORN_TOKEN');
  const apiKey = options.apiKey ?? readVariable('POSTHORN_API_KEY');
  const pullKey = options.pullKey ?? readVariable('POSTHORN_PULL_KEY');
  if (token === undefined && apiKey === undefined && pullKey === undefined) {
    const variables = 'the variable POSTHORN_TOKEN, POSTHORN_API_KEY or POSTHORN_PULL_KEY';
    throw new OptionError('token', `or apiKey or pullKey is required (or ${variables})`);
  }
  const workspaceId = options.workspaceId ?? readVariable('POSTHORN_WORKSPACE_ID');
  const fetch = options.fetch ?? globalThis.fetch;
  if (typeof fetch !== 'function') throw new OptionError('fetch', 'must be a function');
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? readVariable('POSTHORN_BASE_URL')),
    token: requireVisible('token', token),
    apiKey: requireVisible('apiKey', apiKey),
    pullKey: requireVisible('pullKey', pullKey),
    workspaceId: requireVisible('workspaceId', workspaceId),
    timeoutMs: requireInteger('timeoutMs', options.timeoutMs ?? 15_000, 1, LONGEST_TIMEOUT_MS),
    retries: requireInteger('retries', options.retries ?? 2, 0, 10),
    fetch,
  };
}

/** Refuses unknown options: a misspelled one would do nothing, and nobody would notice. */
export function refuseUnknown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new OptionError(unknown, `is not an option: ${known.join(', ')}`);
}

/** Checks the value of a header. `fetch` would refuse a wrong one too, but with an error that shows the value. */
export function requireVisible<Value extends string | undefined>(option: string, value: Value): Value {
  if (value !== undefined && !(typeof value === 'string' && VISIBLE.test(value))) {
    throw new OptionError(option, 'must be visible ASCII characters');
  }
  return value;
}

export function requirePrintable(option: string, value: string): string {
  if (typeof value === 'string' && PRINTABLE.test(value)) return value;
  throw new OptionError(option, 'must be printable ASCII characters');
}

export function requireTime(option: string, value: Date | string | undefined): string | undefined {
  if (!(value instanceof Date)) return requireVisible(option, value);
  if (Number.isNaN(value.getTime())) throw new OptionError(option, 'must be a time');
  return value.toISOString();
}

/** Throws an OptionError for a value that has no JSON, such as a bigint or a circular structure. */
export function requireJson(option: string, value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new OptionError(option, `must be a JSON value: ${(cause as Error).message}`);
  }
  throw new OptionError(option, 'must be a JSON value');
}

export function requireInteger(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new OptionError(option, `must be a whole number from ${least} to ${most}`);
}

/** On Node 20 and 22, `URL.canParse` is wrong for addresses with é, ü, ß or ñ after some thousand calls. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function readBaseUrl(value: string | undefined): string {
  if (value === undefined) throw new OptionError('baseUrl', 'is required (or the variable POSTHORN_BASE_URL)');
  const url = parseUrl(value);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new OptionError('baseUrl', 'must be an http or https URL');
  }
  // Only the text of the URL shows an empty query or fragment.
  if (url.username !== '' || url.password !== '' || url.href.includes('?') || url.href.includes('#')) {
    throw new OptionError('baseUrl', 'must have no credentials, no query and no fragment');
  }
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

/** Undefined where there are no environment variables (a browser) or where they may not be read (Deno). */
function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
