import type { Operation } from '../../../client/resources.ts';

/** Endpoints by id; undefined for none. */
export type Endpoints = ReadonlyMap<string, { url: string }> | undefined;

/** What an operation takes, in words: the endpoint, then the other parts of its filter in a fixed order. */
export function targetOf({ endpointId, filter }: Operation, endpoints: Endpoints): string {
  const endpoint = endpointId === null ? [] : [endpoints?.get(endpointId)?.url ?? endpointId];
  return [...endpoint, ...PARTS.flatMap(([name, words]) => partOf(words, filter[name]))].join(' · ');
}

// The first five are a recovery's, the others a bulk's: `status` and `event_type` are former names.
const PARTS: readonly [name: string, words: string][] = [
  ['mode', ''],
  ['since', 'since '],
  ['until', 'until '],
  ['eventTypes', ''],
  ['statusClass', 'answers '],
  ['statuses', ''],
  ['status', ''],
  ['event_type', ''],
  ['from', 'from '],
  ['to', 'to '],
];

function partOf(words: string, value: unknown): string[] {
  if (Array.isArray(value)) return [`${words}${value.map((one) => readable(String(one))).join(', ')}`];
  return typeof value === 'string' ? [`${words}${readable(value)}`] : [];
}

/** An instant to the minute, and a status without its underscore. */
function readable(value: string): string {
  const isInstant = value.charAt(10) === 'T' && value.endsWith('Z');
  return isInstant ? `${value.slice(0, 10)} ${value.slice(11, 16)}` : value.replace('_', ' ');
}
