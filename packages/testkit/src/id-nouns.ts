import { type IdPrefix, newUuid, toId } from '@posthorn/contract/ids';

/** By the segment of a path before a parameter: the prefix of the id that stands there. */
const PREFIXES = {
  workspaces: 'ws',
  environments: 'env',
  'event-types': 'evt',
  subscriptions: 'evt',
  endpoints: 'ep',
  deliveries: 'dlv',
  applications: 'app',
  'api-keys': 'key',
  'management-tokens': 'tok',
  members: 'usr',
  sessions: 'ses',
  'portal-sessions': 'prt',
} satisfies Record<string, IdPrefix>;

/** What an id in a path is of, in the path's own word for it. */
export type Noun = keyof typeof PREFIXES;

export function isNoun(segment: string): segment is Noun {
  return Object.hasOwn(PREFIXES, segment);
}

/** The segment before a parameter of this path; throws where it is not known what its id is of. */
export function nounOf(segment: string, path: string): Noun {
  if (!isNoun(segment)) throw new Error(`say in id-nouns.ts what kind of id stands after ${segment} in ${path}`);
  return segment;
}

/** A well-formed id of that kind that nobody has. */
export function missingId(noun: Noun): string {
  return toId(PREFIXES[noun], newUuid(new Date()));
}
