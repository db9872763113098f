import { type IdPrefix, newUuid, toId } from '@posthorn/contract/ids';

/** The prefix of the id in a path parameter, by the path segment before it. */
const PREFIXES = {
  workspaces: 'ws',
  environments: 'env',
  diff: 'env',
  promote: 'env',
  'event-types': 'evt',
  subscriptions: 'evt',
  catalog: 'evt',
  endpoints: 'ep',
  deliveries: 'dlv',
  events: 'msg',
  applications: 'app',
  'api-keys': 'key',
  'pull-keys': 'plk',
  'agent-keys': 'agk',
  'agent-subscriptions': 'mcs',
  'management-tokens': 'tok',
  members: 'usr',
  sessions: 'ses',
  'portal-sessions': 'prt',
  operations: 'op',
  'alert-rules': 'alr',
  sources: 'src',
  passkeys: 'psk',
} satisfies Record<string, IdPrefix | 'mcs'>;

/** The kind of an id in a path, named by the path segment before it. */
export type Noun = keyof typeof PREFIXES;

export function isNoun(segment: string): segment is Noun {
  return Object.hasOwn(PREFIXES, segment);
}

/** The path segment, checked: throws when the kind of its ids is not listed. */
export function nounOf(segment: string, path: string): Noun {
  if (!isNoun(segment)) throw new Error(`say in id-nouns.ts what kind of id stands after ${segment} in ${path}`);
  return segment;
}

/** A well-formed id of this kind that does not exist. */
export function missingId(noun: Noun): string {
  const prefix = PREFIXES[noun];
  // The id of an agent's subscription is a digest.
  return prefix === 'mcs' ? `mcs_${'z'.repeat(26)}` : toId(prefix, newUuid(new Date()));
}
