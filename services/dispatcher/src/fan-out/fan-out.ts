import { deferFanOut, markBegun } from '@posthorn/ledger/pending-fan-out';
import type { EventGroup, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import { createBatcher } from '@posthorn/runtime/batch';
import { createIsolation } from '../admission/isolation.ts';
import { fanOutOrdered } from './fan-out-ordered.ts';
import { createFilterBudget } from './filter-budget.ts';
import { matchEvents } from './match-events.ts';
import { type FanOutChunk, type MatchedEvent, planFanOut, type Revisions, type WaitingEvent } from './plan.ts';
import { type BatchDeps, type FanOutDeps, fanOutWide, MAX_ROWS, writeChunk } from './write-deliveries.ts';

/** A batch of this size takes a few statements, so that events of other workspaces behind it do not wait long. */
const MAX_EVENTS = 100;
/** How long a batch waits in total for free slots. After that, the other deliveries are enqueued. */
const AWAIT_ROOM_MS = 250;
/** After this time, the remaining events are enqueued again, behind events of others that have waited as long. */
const BATCH_MS = 1_000;
/** How long the reconciler leaves these events alone, while their new job or the slow event before them waits. */
const REQUEUED_SECONDS = 10;
/**
 * The isolated events that may wait in this process besides the running one: all that a round of the reconciler
 * enqueues. The consumer's concurrency leaves room for other jobs. The owners of workspaces take turns. If no more may
 * wait, the latest event of the owner with the most events is left to the reconciler.
 */
const MAX_WAITING_ISOLATED = 9;
/**
 * The number of inserts to try while an environment's routing changes after each match. After that, its events are
 * fanned out in pages, which need no stable routing.
 */
const MAX_MATCHES = 3;

/**
 * Creates the deliveries of events, attempts some of them at once and enqueues the others. An event's deliveries and
 * the end of its wait are committed together, and a delivery's id is derived from its event and endpoint, so a repeated
 * fan-out creates nothing twice. Jobs that arrive while others are in progress are processed together.
 */
export function createFanOut(deps: FanOutDeps): (job: FanOutJob) => Promise<void> {
  const isolated = createIsolation(MAX_WAITING_ISOLATED, deps.ownerOf);
  const inBatches = () =>
    createBatcher<FanOutJob, void>({
      async run(jobs) {
        await fanOut(deps, jobs);
        return jobs.map(() => undefined);
      },
      maxItems: 8,
      weight: { of: ({ groups }) => groups.reduce((sum, { eventIds }) => sum + eventIds.length, 0), most: MAX_EVENTS },
      maxInFlight: 2,
    });
  // Floods are batched separately, because this process holds up to sixteen jobs, and each job of a flood may take half
  // a second.
  const [ofFloods, ofOthers] = [inBatches(), inBatches()];
  return (job) => {
    // An isolated job has one event.
    const workspaceId = job.groups[0]?.workspaceId ?? '';
    if (job.mode === 'isolated') return isolated(workspaceId, (endTurn) => fanOut(deps, [job], endTurn));
    return job.isOfFlood ? ofFloods(job) : ofOthers(job);
  };
}

/** `endTurn` is given if there is a single, isolated job. */
async function fanOut(given: FanOutDeps, jobs: readonly FanOutJob[], endTurn?: () => Promise<void>): Promise<void> {
  const isIsolated = endTurn !== undefined;
  const budget = createFilterBudget(given.ownerOf, endTurn);
  const deps: BatchDeps = { ...given, budget };
  const startedAtMs = deps.clock.monotonicMs();
  const isOver = () => deps.clock.monotonicMs() - startedAtMs > BATCH_MS;
  const events = eventsOf(jobs);
  const suspects = eventsOf(jobs.filter((job) => job.mode === 'suspect'));
  if (suspects.length > 0) await markBegun(deps.db, idsOf(suspects));
  const matched = await matchEvents(
    deps,
    events.filter(({ group }) => !group.isOrdered),
  );
  const wide = [...matched.wide, ...(await fanOutNarrow(deps, matched.narrow, matched.revisions))];
  // Do at least one, because otherwise an event might never be fanned out.
  for (let event = wide.shift(); event !== undefined; event = isOver() ? undefined : wide.shift()) {
    await fanOutWide(deps, event);
  }
  const ordered = events.filter(({ group }) => group.isOrdered);
  const left = ordered.length === 0 ? [] : await fanOutOrdered(deps, ordered, { isOver, isIsolated });
  const isElsewhere = ({ eventId }: WaitingEvent) => budget.slow.has(eventId) || budget.behindSlow.has(eventId);
  await requeue(
    deps,
    [...wide, ...left, ...budget.later.values()].filter((event) => !isElsewhere(event)),
  );
  await requeue(deps, [...budget.slow.values()], 'isolated');
  // These get no jobs: until the slow event is fanned out, a job would find it before them, and enqueue them again.
  await defer(deps, [...budget.behindSlow.values()]);
}

/**
 * Matches events that were not fanned out again, if their environment's routing has changed. Returns events that became
 * wide, and events whose routing changes more often than they can be matched.
 */
async function fanOutNarrow(deps: BatchDeps, events: MatchedEvent[], revisions: Revisions): Promise<WaitingEvent[]> {
  const wide: WaitingEvent[] = [];
  let left = { events, revisions };
  for (let match = 1; match <= MAX_MATCHES && left.events.length > 0; match += 1) {
    const notDone: MatchedEvent[] = [];
    for await (const chunk of chunksThatFit(deps, left.events)) {
      const done = await writeChunk(deps, chunk, left.revisions);
      notDone.push(...chunk.events.filter((event) => !done.has(event.eventId)));
    }
    if (notDone.length === 0) return wide;
    deps.routes.forget(notDone.map((event) => event.group));
    const again = await matchEvents(deps, notDone);
    wide.push(...again.wide);
    // If the revision is unchanged, the event no longer waits: another process has fanned it out.
    const isNew = ({ group }: MatchedEvent) =>
      again.revisions.get(group.environmentId) !== left.revisions.get(group.environmentId);
    left = { events: again.narrow.filter(isNew), revisions: again.revisions };
  }
  return [...wide, ...left.events];
}

/**
 * While the batch may wait for slots, a chunk has only as many deliveries as can be attempted at once. Later chunks are
 * larger.
 */
async function* chunksThatFit({ immediate, clock }: FanOutDeps, events: MatchedEvent[]): AsyncGenerator<FanOutChunk> {
  let leftMs = AWAIT_ROOM_MS;
  let left = events.reduce((sum, { endpointIds }) => sum + endpointIds.length, 0);
  // If there is no room after the wait, as at a shutdown, deliveries are enqueued, and chunks need not be small.
  const chunks = planFanOut(events, () => (leftMs > 0 && immediate.room()) || MAX_ROWS);
  for (;;) {
    const startedAtMs = clock.monotonicMs();
    if (leftMs > 0) await immediate.awaitRoom(left, leftMs);
    leftMs -= clock.monotonicMs() - startedAtMs;
    const chunk = chunks.next();
    if (chunk.done) return;
    left -= chunk.value.deliveries.length;
    yield chunk.value;
  }
}

function eventsOf(jobs: readonly FanOutJob[]): WaitingEvent[] {
  const events = new Map<string, WaitingEvent>();
  for (const { groups } of jobs) {
    for (const { eventIds, ...group } of groups) {
      for (const eventId of eventIds) events.set(eventId, { eventId, group });
    }
  }
  return [...events.values()];
}

async function requeue(deps: FanOutDeps, events: readonly WaitingEvent[], mode?: 'isolated'): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  if (mode === 'isolated') {
    const { eventId, group } = first;
    const fields = { eventId, workspaceId: group.workspaceId };
    deps.logger.warn('the filters of an event take long: it is fanned out in isolation', fields);
  }
  await defer(deps, events, mode);
  const each = mode === undefined ? {} : { mode };
  const requests = events.map(({ eventId, group }): FanOutRequest => ({ eventId, ...each, ...groupOnly(group) }));
  await deps.enqueueFanOut(requests);
}

/** An event for which the batch had no time is not a suspect. */
async function defer({ db }: FanOutDeps, events: readonly WaitingEvent[], mode?: 'isolated'): Promise<void> {
  if (events.length === 0) return;
  await deferFanOut(db, idsOf(events), { seconds: REQUEUED_SECONDS, keepsMark: mode === 'isolated' });
}

function idsOf(events: readonly WaitingEvent[]): string[] {
  return events.map((event) => event.eventId);
}

function groupOnly({ workspaceId, environmentId, eventType, applicationId, isOrdered }: EventGroup): EventGroup {
  return { workspaceId, environmentId, eventType, applicationId, ...(isOrdered ? { isOrdered } : {}) };
}
