import type { Db } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { enterOrder } from '@posthorn/ledger/enter-order';
import type { EventGroup } from '@posthorn/queue/jobs';
import { matchEvents } from './match-events.ts';
import { type FanOutChunk, type MatchedEvent, type Revisions, toDelivery, type WaitingEvent } from './plan.ts';
import { type BatchDeps, type FanOutDeps, fanOutWide, MAX_ORDERED_ROWS, writeChunk } from './write-deliveries.ts';

/** The most events of one key that are fanned out together. */
const MAX_EVENTS_OF_KEY = 50;
const MAX_FRONT_EVENTS = 200;
/**
 * After this many rounds without progress, the reconciler takes over: an earlier event of the key fails, or the routing
 * changes more often than events can be matched.
 */
const MAX_VAIN_ROUNDS = 3;

/** An event that waits for its fan-out: the first of its key, or the next after another event in the list. */
type FrontEvent = WaitingEvent & { orderingKey: string; endpointId: string | null };

/**
 * Fans out events with ordering keys. Before each event, it fans out earlier events of its key that still wait, whose
 * jobs may be lost or late. The statement that creates deliveries refuses an event while an earlier one of its key
 * waits. Returns the events that did not fit into the time.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the steps of one batch, in their order.
export async function fanOutOrdered(
  deps: BatchDeps,
  events: readonly WaitingEvent[],
  { isOver, isIsolated }: { isOver: () => boolean; isIsolated: boolean },
): Promise<WaitingEvent[]> {
  let before = '';
  for (let vainRounds = 0; ; ) {
    const front = await readFront(deps.db, events, isIsolated ? 1 : MAX_EVENTS_OF_KEY);
    if (front.length === 0) return [];
    const now = front.map((event) => event.eventId).join();
    const isVain = now === before;
    if (isVain && isLeftOut(deps, front)) return [];
    if (isVain) vainRounds += 1;
    else vainRounds = 0;
    if (vainRounds > (isIsolated ? 1 : MAX_VAIN_ROUNDS)) return [];
    if (isVain) deps.routes.forget(front.map((event) => event.group));
    // Matching an isolated event may take longer than its routing stays the same. Pages need no stable routing.
    const inPages = isVain && isIsolated;
    // Always do the first round: next to slow events without a key, these events would otherwise be enqueued again
    // endlessly.
    if (before !== '' && isOver() && !inPages) return isVain ? [] : [...events];
    before = now;
    const done = await fanOutFront(deps, front, { isOver, inPages });
    if (events.every(({ eventId }) => done.has(eventId))) return [];
  }
}

/**
 * Whether the filter budget leaves the first event of every key to another batch, so that this batch can do no more.
 */
function isLeftOut({ budget }: BatchDeps, front: readonly FrontEvent[]): boolean {
  const keys = new Set<string>();
  return front.every((event) => {
    if (keys.has(keyOf(event))) return true;
    keys.add(keyOf(event));
    return budget.slow.has(event.eventId) || budget.later.has(event.eventId);
  });
}

/**
 * The first waiting events, in order, of each key of the given events. The first events of all keys are read before the
 * second ones, so that keys with many events do not delay the others. An event that is not given, or is direct, is read
 * from Postgres, because its job has no event type.
 */
async function readFront(db: Db, events: readonly WaitingEvent[], limit: number): Promise<FrontEvent[]> {
  const rows = await db.$queryRaw<{ eventId: string; orderingKey: string }[]>`
    select w.event_id as "eventId", w.ordering_key as "orderingKey"
    from (
      select distinct environment_id, ordering_key from pending_fan_out
      where event_id = any(${events.map((event) => event.eventId)}::uuid[]) and ordering_key is not null) k
    cross join lateral (
      select event_id, ordering_key, ordering_number, row_number() over (order by ordering_number) as place
      from pending_fan_out p
      where p.environment_id = k.environment_id and p.ordering_key = k.ordering_key
      order by p.ordering_number limit ${limit}::int) w
    order by w.place, w.ordering_number limit ${MAX_FRONT_EVENTS}::int`;
  const given = new Map(
    events.filter(({ group }) => group.eventType !== '').map((event) => [event.eventId, event.group]),
  );
  const others = await readEvents(
    db,
    rows.flatMap(({ eventId }) => (given.has(eventId) ? [] : [eventId])),
  );
  return rows.flatMap(({ eventId, orderingKey }): FrontEvent[] => {
    const group = given.get(eventId);
    if (group !== undefined) return [{ eventId, orderingKey, endpointId: null, group }];
    const other = others.get(eventId);
    if (other === undefined) return [];
    const { endpointId, ...groupOfOther } = other;
    return [{ eventId, orderingKey, endpointId, group: { ...groupOfOther, isOrdered: true } }];
  });
}

async function readEvents(db: Db, eventIds: readonly string[]): Promise<Map<string, Omit<EventRow, 'eventId'>>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.$queryRaw<EventRow[]>`
    select id as "eventId", workspace_id as "workspaceId", environment_id as "environmentId",
      coalesce(event_type, '') as "eventType", application_id as "applicationId", endpoint_id as "endpointId"
    from event where ${among('id', eventIds)}`;
  return new Map(rows.map(({ eventId, ...row }) => [eventId, row]));
}

type EventRow = Omit<EventGroup, 'isOrdered'> & { eventId: string; endpointId: string | null };

const NO_REVISIONS: Revisions = new Map();

/**
 * Fans out chunks of events. They contain each key's events up to the first that is direct, is wide (`Route`), or does
 * not fit into the filter budget. Then fans out those direct and wide events. With `inPages`, all count as wide. Does
 * at least one chunk or event, and more until the time is over. Returns the events of the chunks that are fanned out.
 */
async function fanOutFront(
  deps: BatchDeps,
  front: readonly FrontEvent[],
  { isOver, inPages }: { isOver: () => boolean; inPages: boolean },
): Promise<ReadonlySet<string>> {
  const routed = front.filter((event) => event.endpointId === null);
  const found = inPages ? { narrow: [], wide: routed, revisions: NO_REVISIONS } : await matchEvents(deps, routed);
  const { narrow, wide, revisions } = found;
  const matched = new Map(narrow.map((event) => [event.eventId, event]));
  const stopped = new Map<string, FrontEvent>();
  const chunked: (MatchedEvent & Pick<FrontEvent, 'orderingKey'>)[] = [];
  for (const event of front) {
    const key = keyOf(event);
    const match = matched.get(event.eventId);
    const first = stopped.get(key);
    if (first !== undefined && deps.budget.slow.has(first.eventId)) deps.budget.holdBehindSlow(event);
    if (first !== undefined) continue;
    if (match === undefined) stopped.set(key, event);
    else chunked.push({ ...match, orderingKey: event.orderingKey });
  }
  const isWide = new Set(wide.map((event) => event.eventId));
  const done = new Set<string>();
  const parts: (() => Promise<unknown>)[] = [];
  for (const chunk of chunksInOrder(chunked)) {
    parts.push(async () => {
      for (const eventId of await writeChunk(deps, chunk, revisions)) done.add(eventId);
    });
  }
  for (const event of stopped.values()) {
    const { eventId, endpointId } = event;
    if (isWide.has(eventId)) parts.push(() => fanOutWide(deps, event));
    else if (endpointId !== null) parts.push(() => enterDirect(deps, event, endpointId));
  }
  for (const [index, run] of parts.entries()) {
    if (index > 0 && isOver()) break;
    await run();
  }
  return done;
}

function keyOf({ group: { environmentId }, orderingKey }: Pick<FrontEvent, 'group' | 'orderingKey'>): string {
  return `${environmentId} ${orderingKey}`;
}

/** Chunks in the order of the events. Only the first event of a key may be attempted at once. */
function* chunksInOrder(events: readonly (MatchedEvent & Pick<FrontEvent, 'orderingKey'>)[]): Generator<FanOutChunk> {
  const seen = new Set<string>();
  let chunk: Required<FanOutChunk> = { events: [], deliveries: [], claimable: [] };
  for (const event of events) {
    if (chunk.events.length > 0 && chunk.deliveries.length + event.endpointIds.length > MAX_ORDERED_ROWS) {
      yield chunk;
      chunk = { events: [], deliveries: [], claimable: [] };
    }
    const deliveries = event.endpointIds.map((endpointId) => toDelivery(event, endpointId));
    chunk.events.push(event);
    chunk.deliveries.push(...deliveries);
    if (!seen.has(keyOf(event))) chunk.claimable.push(...deliveries);
    seen.add(keyOf(event));
  }
  if (chunk.events.length > 0) yield chunk;
}

/**
 * The delivery of a direct event was created with the event, outside its order. Now it takes its place in the order.
 */
async function enterDirect(
  { db, enqueue, wakeConsumers }: FanOutDeps,
  event: FrontEvent,
  endpointId: string,
): Promise<void> {
  const deliveryId = deliveryIdFor(event.eventId, endpointId);
  const entered = await enterOrder(db, { eventId: event.eventId, deliveryId });
  // A delivery that consumers fetch never counts as due here.
  if (entered?.isDue === false) wakeConsumers([endpointId]);
  if (entered?.isDue !== true) return;
  const { workspaceId } = event.group;
  const { generation } = entered;
  void enqueue([{ deliveryId, eventId: event.eventId, endpointId, workspaceId, generation, delayMs: 0 }]);
}
