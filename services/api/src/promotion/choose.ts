import { isDeepStrictEqual } from 'node:util';
import type { Pattern } from '../subscriptions/patterns.ts';
import { type EndpointChange, type EventTypeChange, isEmpty, type Plan } from './compare.ts';

/** What of a plan is wanted; keys are UUIDs. Nothing of a kind that is not named is touched. */
export type Choice = {
  settings: boolean;
  eventTypes: 'all' | readonly string[] | undefined;
  /** The endpoints that are promoted. */
  endpointIds: readonly string[] | undefined;
  /** Also deletes and unpublishes. */
  prune: boolean;
};

/** The part of the plan that is applied. */
export function choose(plan: Plan, choice: Choice): Plan {
  return {
    settings: choice.settings ? plan.settings : {},
    eventTypes: chooseEventTypes(plan, choice),
    endpoints: chooseEndpoints(plan, choice),
  };
}

function chooseEventTypes({ eventTypes }: Plan, { eventTypes: wanted, prune }: Choice): EventTypeChange[] {
  if (wanted === undefined) return [];
  const ids = wanted === 'all' ? undefined : new Set(wanted);
  return eventTypes.filter(
    ({ eventTypeId, change }) => (ids?.has(eventTypeId) ?? true) && (prune || change !== 'unpublish'),
  );
}

function chooseEndpoints({ endpoints }: Plan, { endpointIds, prune }: Choice): Plan['endpoints'] {
  if (endpointIds === undefined) return [];
  const wanted = new Set(endpointIds);
  return endpoints.flatMap((change) => {
    if (change.change === 'delete') return prune ? [change] : [];
    if (!wanted.has(change.endpointId)) return [];
    const kept = prune ? change : withoutRemovals(change);
    return isEmpty(kept) ? [] : [kept];
  });
}

/** The endpoint keeps the subscriptions and the patterns that the promoted one does not have. */
function withoutRemovals(change: EndpointChange): EndpointChange {
  const { eventTypePatterns: patterns, ...fields } = change.fields;
  const present = (patterns?.from ?? []) as readonly Pattern[];
  const names = new Set(patterns?.to.map(({ pattern }) => pattern));
  const to = [...(patterns?.to ?? []), ...present.filter(({ pattern }) => !names.has(pattern))];
  return {
    ...change,
    fields: isDeepStrictEqual(present, to) ? fields : { ...fields, eventTypePatterns: { from: patterns?.from, to } },
    subscriptions: { ...change.subscriptions, remove: [] },
  };
}
