import type { Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { findGap, type Gap, pacesOf, readGap } from '@posthorn/ledger/catch-up';
import { BEFORE_ALL, enterKept, type KeptPlace } from '@posthorn/ledger/enter-kept';
import type { DeliveryTarget, EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { Producer } from '@posthorn/queue/producer';
import type { RateLimit } from '@posthorn/queue/throttle';
import { atMost } from '@posthorn/runtime/at-most';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { LRUCache } from 'lru-cache';
import type { Outage } from '../deliver/outage.ts';

/** Paces the sending of deliveries that an outage of Posthorn held back (docs/adr/0023). */
export type CatchUp = {
  /**
   * The same endpoints, each with a temporary `rateLimit` while deliveries of an outage wait. After a start, or after a
   * store was away, the first look at an endpoint waits until it is known whether there was an outage.
   */
  pace(endpoints: EndpointCache): EndpointCache;
  /** Another dispatcher may find an outage first. The turns of lines report it. */
  learn(gap: Gap | undefined): void;
  stop(): Promise<void>;
};

type CatchUpDeps = {
  db: Db;
  /** The multiple of its usual rate that an endpoint gets. With 0, nothing is paced. */
  factor: number;
  outage: Pick<Outage, 'absences'>;
  producer: Pick<Producer, 'onReachable'>;
  logger: Pick<Logger, 'info'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
};

const EVERY_MS = 1_000;
/** No period of 10 s exceeds the rate, so no receiver gets a wave. */
const PERIOD_SECONDS = 10;

export function startCatchUp({ db, factor, outage, producer, logger, quiet }: CatchUpDeps): CatchUp {
  if (factor === 0) return { pace: (endpoints) => endpoints, learn() {}, stop: async () => {} };
  let gap: Gap | undefined;
  const paces = new LRUCache<string, number>(atMost(100_000));
  const set = (found: Gap | undefined) => {
    if (found?.until.getTime() === gap?.until.getTime()) return;
    if (found?.since.getTime() !== gap?.since.getTime()) paces.clear();
    const fields = { since: (found ?? gap)?.since.toISOString(), until: (found ?? gap)?.until.toISOString() };
    gap = found;
    logger.info(
      found === undefined ? 'caught up after an outage' : 'what an outage of ours has kept is sent at a pace',
      fields,
    );
  };
  let reconnected = 0;
  producer.onReachable(() => {
    reconnected += 1;
  });
  const absences = () => outage.absences() + reconnected;
  let lookedAfter = -1;
  const isUnsure = () => lookedAfter !== absences();
  let looking: Promise<void> | undefined;
  const look = () => {
    const after = absences();
    looking ??= findGap(db)
      .then((found) => {
        lookedAfter = after;
        set(found);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  // The end of the outage whose deliveries this process moves into lines, and how far it has come.
  let entering: { untilMs: number; after: KeptPlace | undefined } | undefined;
  const rounds = repeat({
    async round() {
      if (isUnsure()) await look();
      else if (gap !== undefined && entering?.after === undefined) set(await readGap(db));
      if (gap === undefined) return EVERY_MS;
      const untilMs = gap.until.getTime();
      if (entering?.untilMs !== untilMs) entering = { untilMs, after: BEFORE_ALL };
      if (entering.after === undefined) return EVERY_MS;
      entering = { untilMs, after: await enterKept(db, entering.after) };
      return entering.after === undefined ? EVERY_MS : 0;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => quiet.warn('it is not known whether there was an outage', errorFields(error)),
  });
  const load = createBatcher<string, number | undefined>({
    async run(endpointIds) {
      const found = await pacesOf(db, endpointIds, factor);
      for (const [endpointId, perSecond] of found) paces.set(endpointId, perSecond);
      return endpointIds.map((endpointId) => found.get(endpointId));
    },
    maxItems: 50,
    maxInFlight: 2,
  });
  const paced = async (target: DeliveryTarget): Promise<DeliveryTarget> => {
    const { endpointId } = target;
    if (gap === undefined || target.catchUp === 'at-once') return target;
    const { until } = gap;
    const perSecond = paces.get(endpointId) ?? (await load(endpointId));
    return perSecond === undefined ? target : atPace(target, perSecond, until);
  };
  const whenSure = async () => {
    if (isUnsure()) await look();
  };
  return {
    pace: (endpoints) => ({
      isAtRevision: endpoints.isAtRevision,
      async atRevision(endpointId, revision) {
        await whenSure();
        const found = await endpoints.atRevision(endpointId, revision);
        return found.kind === 'found' ? { kind: 'found', target: await paced(found.target) } : found;
      },
      async limitsOf(endpointId) {
        await whenSure();
        const target = await endpoints.limitsOf(endpointId);
        return target && paced(target);
      },
    }),
    learn(found) {
      if (found !== undefined) set(found);
    },
    stop: () => rounds.stop(),
  };
}

/**
 * The endpoint with the lower of the two limits. If it has no limit of its own, new events are limited only while
 * others wait.
 */
function atPace(target: DeliveryTarget, perSecond: number, until: Date): DeliveryTarget {
  const own = target.rateLimit;
  if (own !== null && own.limit / own.periodSeconds <= perSecond) return target;
  const limit = Math.floor(perSecond * PERIOD_SECONDS);
  const rateLimit: RateLimit = { limit, periodSeconds: PERIOD_SECONDS };
  return { ...target, rateLimit, ...(own === null && { passesFrom: lowestKeyAt(until) }) };
}
