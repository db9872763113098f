import type { Endpoint, Operation } from '../../../client/resources.ts';
import { addressOf } from '../../../components/destination/address-of.ts';

type Addressed = Pick<Endpoint, 'type' | 'target'>;
/** Endpoints by id; undefined if they are not known. */
export type Endpoints = ReadonlyMap<string, Addressed> | undefined;

/** What an operation selects, in words: the endpoint, then the other parts of its filter in a fixed order. */
export function targetOf({ endpointId, filter }: Operation, endpoints: Endpoints): string {
  const endpoint = endpointId === null ? undefined : endpoints?.get(endpointId);
  const address = endpoint === undefined ? endpointId : addressOf(endpoint);
  const parts = PARTS.flatMap(([name, words]) => partOf(name, words, filter[name]));
  return [...(address === null ? [] : [address]), ...parts].join(' · ');
}

// The first part is of erasures and bulk operations, the next five are of recoveries, and the others of bulk
// operations. `status` and `event_type` are in stored operations of earlier releases.
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

function partOf(name: string, words: string, value: unknown): string[] {
  if (Array.isArray(value)) return [`${words}${value.map((one) => readable(name, String(one))).join(', ')}`];
  return typeof value === 'string' ? [`${words}${readable(name, value)}`] : [];
}

const INSTANTS = ['since', 'until', 'from', 'to'];
const STATUSES = ['statuses', 'status'];

/** An instant to the minute in UTC, a status without its underscore, and a name or an id as it is. */
function readable(name: string, value: string): string {
  if (STATUSES.includes(name)) return value.replace('_', ' ');
  const isInstant = INSTANTS.includes(name) && value.charAt(10) === 'T' && value.endsWith('Z');
  return isInstant ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC` : value;
}
