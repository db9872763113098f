import { namedEventType } from '@posthorn/contract/event-types';
import { toId } from '@posthorn/contract/ids';
import { z } from 'zod';
import type { EndpointChange, Plan, SubscriptionChanges } from './compare.ts';

/** A plan with public ids, as answers have it. */
export function presentPlan(plan: Plan, { from, to }: { from: string; to: string }) {
  return {
    from: toId('env', from),
    to: toId('env', to),
    settings: plan.settings,
    eventTypes: plan.eventTypes.map((change) => ({ ...change, eventTypeId: toId('evt', change.eventTypeId) })),
    endpoints: plan.endpoints.map(presentEndpointChange),
  };
}

function presentEndpointChange({ change, endpointId, targetEndpointId, fields, subscriptions }: EndpointChange) {
  return {
    change,
    endpointId: toId('ep', endpointId),
    targetEndpointId: targetEndpointId === null ? null : toId('ep', targetEndpointId),
    fields: fields as Record<string, { from: unknown; to: unknown }>,
    subscriptions: presentSubscriptions(subscriptions),
  };
}

function presentSubscriptions({ add, remove, change }: SubscriptionChanges) {
  const named = ({ eventTypeId, name }: { eventTypeId: string; name: string }) => {
    return { eventTypeId: toId('evt', eventTypeId), ...namedEventType(name) };
  };
  return {
    add: add.map((one) => ({ ...named(one), filter: storedFilter.parse(one.filter) })),
    remove: remove.map((one) => ({ ...named(one), filter: storedFilter.parse(one.filter) })),
    change: change.map((one) => ({
      ...named(one),
      from: storedFilter.parse(one.from),
      to: storedFilter.parse(one.to),
    })),
  };
}

const storedFilter = z.record(z.string(), z.unknown()).nullable();
