import type { Db } from '@posthorn/db/client';
import { passes } from '@posthorn/filter/match-filter';
import type { EventGroup } from '@posthorn/queue/jobs';
import type { Takers } from '@posthorn/queue/takers';
import { createRoutes, type PayloadRetention, type Route } from '@posthorn/routing/routes';
import { atMost } from '@posthorn/runtime/at-most';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { UnreadPayload } from './payload-check.ts';

/** The endpoints that an event goes to, according to this revision of its environment's routing. */
export type MatchedAtDoor = {
  endpointIds: readonly string[];
  routingRevision: string;
  payloadRetention: PayloadRetention;
};

/** Matches events with endpoints when they are accepted (docs/adr/0021). Anything slow is left to fan-out. */
export type Door = {
  /** Undefined leaves the event to fan-out. */
  match(event: EventAtDoor): Promise<MatchedAtDoor | undefined>;
  /**
   * Learns that the environment's routing now has this revision. Data from any other revision is read again before the
   * next event.
   */
  learn(environmentId: string, routingRevision: string): void;
};

export type EventAtDoor = { group: EventGroup; ownerId: string; payload: UnreadPayload };

export type DoorDeps = { db: Db; takers: () => Takers; clock: Pick<Clock, 'monotonicMs'> };

/**
 * With more endpoints, or a larger payload and filters, an event would take too long in a statement that all tenants
 * share.
 */
const MOST_ENDPOINTS = 8;
const MOST_FILTERED_BYTES = 16 * 1024;
/**
 * The time limit for the filters of an event. If they exceed it, the filters of their route are left to fan-out for a
 * minute.
 */
const MOST_MS = 1;
const SLOW_FOR_MS = 60_000;
const MOST_SLOW = 10_000;
/** The time limit for an owner's filters, as a share of the event loop. */
const OWNER_WINDOW_MS = 1_000;
const MOST_MS_OF_OWNER = 50;

export function createDoor({ db, takers, clock }: DoorDeps): Door {
  const routes = createRoutes(db, { ofType: MOST_ENDPOINTS, ofApplication: MOST_ENDPOINTS });
  const load = createBatcher<EventGroup, Route | undefined>({
    run: (groups) => routes.of(groups),
    maxItems: 100,
    maxInFlight: 2,
  });
  const slow = new LRUCache<string, true>({ ...atMost(MOST_SLOW), ttl: SLOW_FOR_MS });
  const spent = createSpent(clock);
  // If a route cannot be read now, the event is left to fan-out.
  const routeOf = (group: EventGroup) => routes.known(group) ?? load(group).catch(() => undefined);
  return {
    async match({ group, ownerId, payload }) {
      if (takers() === 'none') return undefined;
      const route = await routeOf(group);
      if (route === undefined || route.isWide || !route.isPlain) return undefined;
      const { routingRevision, payloadRetention } = route;
      if (route.filters.size === 0) return { endpointIds: route.endpointIds, routingRevision, payloadRetention };
      const name = `${group.environmentId} ${group.eventType}`;
      if (payload.bytes > MOST_FILTERED_BYTES || slow.has(name) || spent.isOver(ownerId)) return undefined;
      const startedMs = clock.monotonicMs();
      const endpointIds = matching(route, payload, () => clock.monotonicMs() - startedMs <= MOST_MS);
      spent.add(ownerId, clock.monotonicMs() - startedMs);
      if (endpointIds === undefined) slow.set(name, true);
      return endpointIds && { endpointIds, routingRevision, payloadRetention };
    },
    learn: routes.learn,
  };
}

/** The endpoints whose filters the payload matches; undefined if that takes too long. */
function matching({ endpointIds, filters }: Route, payload: UnreadPayload, isInTime: () => boolean) {
  const read = payload.read();
  const seen = read.isJson ? { kind: 'json' as const, value: read.value } : { kind: 'other' as const };
  const found: string[] = [];
  for (const endpointId of endpointIds) {
    if (passes(filters.get(endpointId), seen)) found.push(endpointId);
    if (!isInTime()) return undefined;
  }
  return found;
}

/** Tracks how long the filters of each owner took in the present second. */
function createSpent({ monotonicMs }: Pick<Clock, 'monotonicMs'>) {
  let windowFrom = Number.NEGATIVE_INFINITY;
  const ofOwner = new Map<string, number>();
  return {
    isOver(ownerId: string): boolean {
      if (monotonicMs() - windowFrom >= OWNER_WINDOW_MS) {
        windowFrom = monotonicMs();
        ofOwner.clear();
      }
      return (ofOwner.get(ownerId) ?? 0) > MOST_MS_OF_OWNER;
    },
    add: (ownerId: string, ms: number) => void ofOwner.set(ownerId, (ofOwner.get(ownerId) ?? 0) + ms),
  };
}
