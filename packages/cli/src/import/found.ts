/** What was found at another service, in Posthorn's terms. A file of `--save` holds it as JSON. */
export type Found = {
  peer: PeerName;
  eventTypes: FoundEventType[];
  applications: FoundApplication[];
  endpoints: FoundEndpoint[];
  /** Items that cannot be imported. */
  left: Left[];
};

export const PEERS = ['svix', 'convoy', 'outpost', 'hook0'] as const;
export type PeerName = (typeof PEERS)[number];

export type FoundEventType = { name: string; description?: string; schema?: Record<string, unknown> };

export type FoundApplication = { externalId: string; name: string; metadata?: Record<string, string> };

export type FoundEndpoint = {
  /** The id at the other service. */
  id: string;
  externalId: string;
  /** The externalId of the endpoint's application; null for an endpoint of the whole workspace. */
  application: string | null;
  url: string;
  description: string;
  isActive: boolean;
  /** Names and patterns; `*` for all. */
  eventTypes: string[];
  /** Signing secrets, newest last. If there is none, Posthorn makes a secret that the receiver does not know. */
  secrets: FoundSecret[];
  config: Record<string, unknown>;
  secretHeaders: Record<string, string>;
  authUsername?: string;
  authPassword?: string;
  metadata: Record<string, string>;
};

export type FoundSecret = { value: string; endsAt?: string };

/** An item that is not imported, and the reason. */
export type Left = { kind: 'event type' | 'application' | 'endpoint'; name: string; why: string };

/** An empty result, to which the readers add what they find. */
export function emptyFound(peer: PeerName): Found {
  return { peer, eventTypes: [], applications: [], endpoints: [], left: [] };
}

/** Posthorn's form of an event type's name: lower case, with an underscore for each other character. */
export function eventTypeName(name: string): string {
  const parts = name.toLowerCase().split('.');
  return parts.map((part) => part.replaceAll(/[^a-z0-9_]/g, '_') || '_').join('.');
}

/** The names of an endpoint's event types; `*` if it names none. */
export function chosenTypes(names: readonly string[] | null | undefined): string[] {
  if (names === null || names === undefined || names.length === 0 || names.includes('*')) return ['*'];
  return [...new Set(names.map(eventTypeName))];
}

const OWN_HEADERS = [
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'idempotency-key',
  'user-agent',
  'traceparent',
  'tracestate',
];
const SECRET_WORDS = ['auth', 'token', 'key', 'secret', 'password', 'cookie'];

type Headers = { headers: Record<string, string>; secretHeaders: Record<string, string>; refused: string[] };

/**
 * Sorts headers by what Posthorn does with them: sends them, stores them encrypted (if they look like a credential), or
 * refuses them because it sets them itself.
 */
export function sortHeaders(given: Record<string, string>): Headers {
  const sorted: Headers = { headers: {}, secretHeaders: {}, refused: [] };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.includes(lower) || lower.startsWith('webhook-') || lower.startsWith('proxy-')) {
      sorted.refused.push(name);
    } else if (SECRET_WORDS.some((word) => lower.includes(word))) sorted.secretHeaders[name] = value;
    else sorted.headers[name] = value;
  }
  return sorted;
}

/** The config for a receiver that verifies another service's signatures. */
export function configOf(
  signature: unknown,
  headers: Record<string, string>,
  more: object = {},
): Record<string, unknown> {
  return {
    ...(signature === undefined ? {} : { signature, standardHeaders: false }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...more,
  };
}

const MOST_RATE = 10_000;
const LONGEST_PERIOD_SECONDS = 3_600;

/** The config of a rate limit, and the parts of the limit that are lost. */
export function rateLimitOf(limit: number | null | undefined, seconds = 1): { config: object; lost: string[] } {
  if (!limit) return { config: {}, lost: [] };
  const periodSeconds = Math.max(1, Math.min(LONGEST_PERIOD_SECONDS, seconds));
  const lost: string[] = [];
  if (limit > MOST_RATE) lost.push(`its rate limit of ${limit} becomes ${MOST_RATE}`);
  if (seconds > periodSeconds) lost.push(`the period of its rate limit, ${seconds} s, becomes ${periodSeconds} s`);
  return { config: { rateLimit: { limit: Math.min(MOST_RATE, limit), periodSeconds } }, lost };
}

/** The number of key-value pairs in an application's metadata. */
export const APPLICATION_PAIRS = 5;

/** Metadata as text. Posthorn keeps five pairs, of which the import needs three for an endpoint. */
export function keptMetadata(given: unknown, most = 2): { metadata: Record<string, string>; isWhole: boolean } {
  const pairs = Object.entries(typeof given === 'object' && given !== null ? given : {});
  const kept = pairs.filter(([key, value]) => key.length <= 40 && String(value).length <= 500).slice(0, most);
  return {
    metadata: Object.fromEntries(kept.map(([key, value]) => [key, String(value)])),
    isWhole: kept.length === pairs.length,
  };
}
