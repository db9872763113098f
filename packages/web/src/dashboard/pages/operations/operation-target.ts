import type { Operation } from '../../../client/resources.ts';

/** Endpoints by id; undefined for none. */
export type Endpoints = ReadonlyMap<string, { url: string }> | undefined;

/** What an operation takes, in words: the endpoint, then the other parts of its filter in a fixed order. */
export function targetOf({ endpointId, filter }: Operation, endpoints: Endpoints): string {
  const endpoint = endpointId === null ? [] : [endpoints?.get(endpointId)?.url ?? endpointId];
  return [...endpoint, ...PARTS.flatMap(([name, words]) => partOf(words, filter[name]))].join(' · ');
}

// A customer is of an erasure or a bulk; then five are a recovery's, the others a bulk's: `status` and `event_type` are former names.
const PARTS: readonly [name: string, words: string][] = [
  ['applicationId', 'customer '],
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

/** An instant to the minute, a status without its underscore, and an id as it is. */
function readable(value: string): string {
  if (value.startsWith('app_')) return value;
  const isInstant = value.charAt(10) === 'T' && value.endsWith('Z');
  return isInstant ? `${value.slice(0, 10)} ${value.slice(11, 16)}` : value.replace('_', ' ');
}
