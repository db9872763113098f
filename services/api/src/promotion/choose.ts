import type { EventTypeChange, Plan } from './compare.ts';
import { isEmpty } from './compare.ts';

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
    const kept = prune ? change : { ...change, subscriptions: { ...change.subscriptions, remove: [] } };
    return isEmpty(kept) ? [] : [kept];
  });
}
