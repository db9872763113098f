import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceChange } from '@posthorn/contract/apply';
import { type ChosenEventType, isEventTypePattern } from '@posthorn/contract/subscriptions';
import { storedPatterns } from '../subscriptions/patterns.ts';
import { changed } from './fields.ts';
import type { EndpointBefore } from './read-endpoints.ts';

/** A subscription as a plan shows it. A plan has null where there is none. */
export function subscriptionOf({ filter }: Pick<ChosenEventType, 'filter'>): { filter: unknown } {
  return { filter };
}

/** How the subscriptions of an endpoint differ. Pure. */
export type SubscriptionChanges = {
  add: ChosenEventType[];
  change: ChosenEventType[];
  /** The names of event types. */
  remove: string[];
  /** All patterns that the endpoint then has; undefined where they stay. */
  patterns: { pattern: string; filter: Record<string, unknown> | null }[] | undefined;
  fields: WorkspaceChange['fields'];
};

/** Without `prune`, subscriptions that the document does not name stay. */
export function compareSubscriptions(
  before: Pick<EndpointBefore, 'subscriptions' | 'eventTypePatterns'>,
  wanted: readonly ChosenEventType[] | undefined,
  prune: boolean,
): SubscriptionChanges {
  if (wanted === undefined) return { add: [], change: [], remove: [], patterns: undefined, fields: [] };
  const single = wanted.filter(({ name }) => !isEventTypePattern(name));
  const present = new Map(before.subscriptions.map(({ eventType, filter }) => [eventType.name, filter]));
  const named = new Set(single.map(({ name }) => name));
  const add = single.filter(({ name }) => !present.has(name));
  const change = single.filter(({ name, filter }) => {
    return present.has(name) && !isDeepStrictEqual(present.get(name), filter);
  });
  const remove = prune ? [...present.keys()].filter((name) => !named.has(name)) : [];
  const { patterns, fields } = comparePatterns(before, wanted, prune);
  return {
    ...{ add, change, remove },
    // A pattern may match a type whose subscription is removed, so the patterns are then written again.
    patterns: patterns.isSame && remove.length === 0 ? undefined : patterns.after,
    fields: [
      ...add.map((one) => changed(`eventTypes.${one.name}`, null, subscriptionOf(one))),
      ...change.map((one) => {
        return changed(`eventTypes.${one.name}`, { filter: present.get(one.name) ?? null }, subscriptionOf(one));
      }),
      ...remove.map((name) => changed(`eventTypes.${name}`, { filter: present.get(name) ?? null }, null)),
      ...fields,
    ],
  };
}

function comparePatterns(
  before: Pick<EndpointBefore, 'eventTypePatterns'>,
  wanted: readonly ChosenEventType[],
  prune: boolean,
) {
  const present = storedPatterns(before);
  const given = wanted
    .filter(({ name }) => isEventTypePattern(name))
    // checkDocument has checked the filter.
    .map(({ name, filter }) => ({ pattern: name, filter: filter as Record<string, unknown> | null }));
  const names = new Set(given.map(({ pattern }) => pattern));
  // The first pattern that fits counts, so their order matters.
  const after = prune ? given : [...given, ...present.filter(({ pattern }) => !names.has(pattern))];
  const isSame = isDeepStrictEqual(after, present);
  const filterOf = (patterns: readonly { pattern: string; filter: unknown }[], name: string) =>
    patterns.find(({ pattern }) => pattern === name);
  const fields = [...new Set([...present, ...after].map(({ pattern }) => pattern))].flatMap((name) => {
    const [from, to] = [filterOf(present, name), filterOf(after, name)];
    if (isDeepStrictEqual(from, to)) return [];
    const shown = (one: { filter: unknown } | undefined) => (one === undefined ? null : { filter: one.filter });
    return [changed(`eventTypes.${name}`, shown(from), shown(to))];
  });
  const isReordered = !isSame && fields.length === 0;
  const order = (patterns: readonly { pattern: string }[]) => patterns.map(({ pattern }) => pattern);
  return {
    patterns: { isSame, after },
    fields: isReordered ? [changed('eventTypes', order(present), order(after))] : fields,
  };
}
