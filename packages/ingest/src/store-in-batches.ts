import type { Db } from '@posthorn/db/client';
import { isLockedOut } from '@posthorn/db/violations';
import { type AskedLease, askForLease } from '@posthorn/ledger/lease';
import type {
  DeliverRequest,
  FanOutRequest,
  HandedContent,
  HandOverRequest,
  NewDeliveryIds,
} from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { HandOff, Producer } from '@posthorn/queue/producer';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Counter } from 'prom-client';
import type { Door } from './match-at-door.ts';
import {
  type MadeDelivery,
  type NewEvent,
  type Stored,
  type StoreOptions,
  storeEvents,
  wellFormed,
} from './store-events.ts';

export type StoreDeps = {
  db: Db;
  /** For matched events. Its statements wait for a lock for only a quarter of a second. */
  doorDb: Db;
  live: Pick<LivePublisher, 'deliveryChanged' | 'eventAccepted'>;
  producer: Pick<Producer, 'kind' | 'enqueueFanOut' | 'enqueueDeliveries'> &
    Pick<HandOff, 'handOver' | 'takers' | 'takesContent' | 'awaitRoom'>;
  /** Tells consumers of the endpoints that there may be something to fetch. It never throws. */
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  /** The number of seconds after which a new delivery to this endpoint is due. */
  slowDelay: (endpointId: string) => number;
  /** Learns the present revision of a routing that has changed. */
  door: Pick<Door, 'learn'>;
  /** A logger for errors that may occur a thousand times a second. */
  quiet: Pick<Logger, 'warn'>;
  metrics: { deliveriesCreated: Counter; handOffs: Counter };
};

/** The most payload bytes in one insert: a statement's parameters are held in memory several times. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Stores events together with others that arrive at the same time, and creates the deliveries of matched and direct
 * events with them. Resolves once the event is committed. Then its deliveries are handed over or its fan-out is
 * enqueued, and live streams are informed.
 */
export function createStore(deps: StoreDeps): (event: NewEvent) => Promise<Stored> {
  const storeMatched = createMatchedStore(deps);
  const batched = (store: StoreAll) =>
    createBatcher<NewEvent, Stored>({
      run: (events) => storeAndTell(deps, events, (given, leaseToken) => store(given, leaseToken, storeEvents)),
      maxItems: 100,
      weight: { of: (event) => event.payloadSize, most: MAX_BATCH_BYTES },
      lane: (event) => event.workspaceId,
      maxInFlight: 2,
    });
  const storeOthers: StoreAll = (events, leaseToken, write) =>
    write(deps.db, events, { leaseToken, delaySeconds: deps.slowDelay, withRevisions: deps.producer.takesContent });
  const ofTypes = { plain: batched(storeMatched), inOrder: batched(storeOthers) };
  // Direct events are stored separately. They wait for a lock on the deliveries, because nothing else would create
  // theirs.
  const direct = { plain: batched(storeOthers), inOrder: batched(storeOthers) };
  return (event) => {
    const { plain, inOrder } = event.direct === null ? ofTypes : direct;
    return event.orderingKey === null && event.deliverAt === null ? plain(event) : inOrder(event);
  };
}

/**
 * Stores a batch in the caller's transaction, which `write` opens. Does after the commit what `createStore` does.
 * Rejects with the error of `write`, which may be called twice.
 */
export function createStoreBatch(deps: StoreDeps): (events: readonly NewEvent[], write: Write) => Promise<Stored[]> {
  const storeMatched = createMatchedStore(deps);
  return (events, write) => storeAndTell(deps, events, (given, leaseToken) => storeMatched(given, leaseToken, write));
}

async function storeAndTell(
  deps: StoreDeps,
  events: readonly NewEvent[],
  store: (given: readonly NewEvent[], leaseToken: string | undefined) => Promise<Stored[]>,
): Promise<Stored[]> {
  if (events.some(({ direct, matched }) => direct !== null || (matched?.endpointIds.length ?? 0) > 0))
    await deps.producer.awaitRoom?.();
  const takers = deps.producer.takers();
  const lease = takers === 'ready' ? askForLease() : undefined;
  const leaseToken = lease?.leaseToken;
  // Dispatchers of an earlier version take no handed-over deliveries, but do fan events out.
  const given = takers === 'none' ? events.map(unmatched) : events;
  const stored = await store(given, leaseToken);
  const done = given.flatMap((event, index) => {
    const one = stored[index];
    return one?.kind === 'stored' ? [{ event, ...one }] : [];
  });
  for (const { event, newRevision } of done) {
    if (newRevision !== undefined) deps.door.learn(event.environmentId, newRevision);
  }
  tell(deps, done);
  enqueue(deps, done, { lease, isHandedOver: takers !== 'none' });
  return stored;
}

/** Writes events, as `storeEvents` does. */
export type Write = (db: Db, events: readonly NewEvent[], options?: StoreOptions) => Promise<Stored[]>;

type StoreAll = (events: readonly NewEvent[], leaseToken: string | undefined, write: Write) => Promise<Stored[]>;

/** After a statement has waited in vain for a lock, events are stored without their deliveries for this long. */
const LOCKED_FOR_MS = 1_000;

/**
 * A lock on `delivery` must not delay acceptance. An event that would wait for it is stored without its deliveries,
 * which its fan-out creates later.
 */
function createMatchedStore({ db, doorDb, slowDelay: delaySeconds, producer }: StoreDeps): StoreAll {
  const { takesContent: withRevisions } = producer;
  let lockedUntilMs = Number.NEGATIVE_INFINITY;
  return async (events, leaseToken, write) => {
    if (performance.now() >= lockedUntilMs && events.some(({ matched }) => matched !== null)) {
      try {
        return await write(doorDb, events, { leaseToken, delaySeconds, withRevisions });
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        lockedUntilMs = performance.now() + LOCKED_FOR_MS;
      }
    }
    return write(db, events.map(unmatched));
  };
}

function unmatched(event: NewEvent): NewEvent {
  return event.matched === null ? event : { ...event, matched: null };
}

type Done = { event: NewEvent; made: MadeDelivery[]; isToFanOut: boolean };

function tell({ live, metrics, wakeConsumers }: StoreDeps, done: readonly Done[]): void {
  for (const { event, made } of done) {
    const { id: eventId, workspaceId, direct } = event;
    live.eventAccepted({ workspaceId, eventId });
    if (direct !== null && made.length === 0) live.deliveryChanged({ workspaceId, ...direct });
    for (const delivery of made) live.deliveryChanged({ workspaceId, ...delivery });
    metrics.deliveriesCreated.inc(made.length);
  }
  wakeConsumers(
    done.flatMap(({ made }) => made.filter(({ isPulled }) => isPulled).map(({ endpointId }) => endpointId)),
  );
}

/** No request waits for Redis. If enqueueing fails, the reconciler finds the events and deliveries without a job. */
function enqueue(
  { producer, quiet, metrics }: StoreDeps,
  done: readonly Done[],
  { lease, isHandedOver }: { lease: AskedLease | undefined; isHandedOver: boolean },
): void {
  const warn = (error: unknown) => quiet.warn('events wait for the reconciler', errorFields(error));
  producer.enqueueFanOut(done.flatMap(({ event, isToFanOut }) => (isToFanOut ? [toRequest(event)] : []))).catch(warn);
  const contentOf = (one: Done) => (producer.takesContent && lease !== undefined ? toContent(one, lease) : undefined);
  const offered = done.flatMap((one) => toHandOver(one, ({ isOffered }) => isOffered, contentOf(one)));
  const due = done.flatMap((one) => toHandOver(one, ({ isDue }) => isDue));
  metrics.handOffs.inc({ way: wayOf(producer) }, countOf(offered));
  metrics.handOffs.inc({ way: 'pending' }, countOf(due));
  const atOnce = isHandedOver ? [] : due.flatMap(({ deliveries }) => deliveries.map((one) => toDeliver(one, 0)));
  const later = done.flatMap(({ event: { id: eventId, workspaceId }, made }) =>
    made
      .filter(({ isOffered, isDue, isPulled }) => !isOffered && !isDue && !isPulled)
      .map(({ deliveryId, endpointId, delayMs }) =>
        toDeliver({ deliveryId, eventId, endpointId, workspaceId }, delayMs),
      ),
  );
  if (isHandedOver) {
    producer.handOver(offered, lease?.leaseToken).catch(warn);
    producer.handOver(due, undefined).catch(warn);
  }
  producer.enqueueDeliveries([...atOnce, ...later]).catch(warn);
}

function wayOf({ kind, takesContent }: StoreDeps['producer']): 'call' | 'bus' | 'job' {
  if (takesContent) return 'call';
  return kind === 'redis' ? 'job' : 'bus';
}

function countOf(events: readonly HandOverRequest[]): number {
  return events.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
}

function toDeliver(delivery: NewDeliveryIds, delayMs: number): DeliverRequest {
  return { ...delivery, generation: 0, delayMs: Math.ceil(delayMs) };
}

/** The content of a hand-over to a dispatcher in the same process. */
function toContent({ event, made }: Done, { askedAtMs, askedAtWallMs }: AskedLease): HandedContent {
  const { eventType, idempotency, contentType, payload, matched } = event;
  const revisions = made.flatMap(({ deliveryId, endpointRevision }) =>
    endpointRevision === undefined ? [] : [[deliveryId, endpointRevision] as const],
  );
  return {
    ...{ askedAtMs, askedAtWallMs, eventType, payload },
    contentType: wellFormed(contentType) ?? null,
    idempotencyKey: wellFormed(idempotency?.key) ?? null,
    hasOneAttempt: matched?.payloadRetention === 'none',
    revisions: new Map(revisions),
  };
}

function toHandOver(
  { event, made }: Done,
  which: (made: MadeDelivery) => boolean,
  content?: HandedContent,
): HandOverRequest[] {
  const { id: eventId, workspaceId, eventType } = event;
  const deliveries = made
    .filter(which)
    .map(({ deliveryId, endpointId }) => ({ deliveryId, eventId, endpointId, workspaceId }));
  if (deliveries.length === 0) return [];
  return [{ workspaceId, eventType: eventType ?? '', deliveries, ...(content && { content }) }];
}

function toGroup({ workspaceId, environmentId, eventType, applicationId }: NewEvent) {
  return { workspaceId, environmentId, eventType: eventType ?? '', applicationId };
}

function toRequest(event: NewEvent): FanOutRequest {
  const order = event.orderingKey === null ? {} : { isOrdered: true as const };
  return { eventId: event.id, ...toGroup(event), ...order };
}
