import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Random } from '../random.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { addOtherWorkspace, sendBatches } from './other-workspace.ts';
import { jobsWaiting, removeUnattempted } from './waiting-jobs.ts';

const FLOOD = 20_000;
/** The smallest flood that outlasts the row at about 100 a second, with jobs still waiting at its end. */
const LEAST_FLOOD = 12_000;
const ANSWERS_AFTER_MS = 100;
/** From this many waiting jobs on, the reconciler reads only a part of the overdue rows. */
const BUSY_DEPTH = 2_500;
const RETRIES = 40;
/** The wait is longer than the horizon within which retries are enqueued. */
const RETRY_AFTER_SECONDS = 3_600;
const FIRST_DUE_MS = 3_000;
const LAST_DUE_MS = 23_000;
const LATE_AT_MOST_MS = 10_000;
const WATCHED_AFTER_MS = 20_000;

export const retryBehindFlood: Row = {
  name: 'retry-behind-flood',
  fault: 'retries of one workspace that were scheduled an hour ahead fall due while 20,000 jobs of another wait',
  pass: 'each retry ≤ 10 s late',
  rig: { endpoints: 0, settings: { DELIVERY_CONCURRENCY: '4' } },
  run: behindFlood,
};

async function behindFlood(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const retried = await rig.addEndpoint({
    name: 'retried',
    loaded: false,
    config: { retrySchedule: [RETRY_AFTER_SECONDS, 1, 1, 1] },
    behaviour: ({ attempt }) => ({ status: attempt === 1 ? 500 : 200 }),
  });
  await rig.load.burst(RETRIES, { to: [{ eventType: retried.eventType, endpoints: [retried.name] }] });
  const scheduled = () => rig.db.delivery.count({ where: { endpointId: retried.uuid, status: 'scheduled_retry' } });
  await waitFor(async () => (await scheduled()) === RETRIES, { what: 'the retries to be scheduled' });

  const flooding = await addOtherWorkspace(rig, random);
  const flooded: Endpoint[] = [];
  for (let n = 0; n < 10; n += 1) {
    flooded.push(
      await flooding.addEndpoint({ name: `flooded-${n}`, behaviour: () => ({ delayMs: ANSWERS_AFTER_MS }) }),
    );
  }
  const targets = flooded.map(({ name, eventType }) => ({ eventType, endpoints: [name] }));
  const { apiKey } = flooding;
  await sendBatches(rig, { apiKey, targets, events: Math.max(LEAST_FLOOD, scaled(FLOOD)) });
  await waitFor(async () => (await jobsWaiting(rig)) >= 2 * BUSY_DEPTH, {
    what: 'the flood to wait',
    timeoutMs: 60_000,
  });
  say(`${await jobsWaiting(rig)} jobs wait`);

  const retries = await makeDue(rig, { retried, random });
  const depths = await watchDepth(rig, () => retries.every((retry) => lateMs(rig, retry) < Number.POSITIVE_INFINITY), {
    untilMs: Math.max(...retries.map(({ dueAtMs }) => dueAtMs)) + WATCHED_AFTER_MS,
  });
  const latest = (hasJob: boolean) =>
    Math.max(...retries.filter((retry) => retry.hasJob === hasJob).map((retry) => lateMs(rig, retry)));
  const marks: Mark[] = [
    { what: 'retries', value: retries.length, atLeast: RETRIES },
    { what: 'fewest waiting jobs', value: Math.min(...depths), atLeast: BUSY_DEPTH },
    { what: 'latest retry without a job', unit: 'ms', value: latest(false), atMost: LATE_AT_MOST_MS },
    { what: 'latest retry with a later job', unit: 'ms', value: latest(true), atMost: LATE_AT_MOST_MS },
  ];
  say(`${marks.map(({ what, value }) => `${what} ${value}`).join(', ')}; jobs waiting: ${depths.join(' ')}`);
  // The row does not wait for the rest of the flood.
  for (const { name } of flooded) rig.receivers.respond(name, () => ({}));
  await removeUnattempted(rig, flooded);
  return { duplicatesAtMost: 0, retriesLateAtMostMs: LATE_AT_MOST_MS, marks };
}

type Retry = {
  eventId: string;
  dueAtMs: number;
  /** Whether a delayed job for the original due time may exist. It would run much later, but the row is overdue. */
  hasJob: boolean;
};

/**
 * Moves the due times into the next seconds, as if time had passed. Every other row gets a new generation, so that it
 * has no job, as if Redis had lost it.
 */
async function makeDue(rig: Rig, { retried, random }: { retried: Endpoint; random: Random }): Promise<Retry[]> {
  const rows = await rig.db.delivery.findMany({
    where: { endpointId: retried.uuid, status: 'scheduled_retry' },
    select: { id: true, eventId: true },
    orderBy: { id: 'asc' },
  });
  const retries: Retry[] = [];
  for (const [n, { id, eventId }] of rows.entries()) {
    const dueAtMs = Date.now() + random.whole(FIRST_DUE_MS, LAST_DUE_MS);
    const hasJob = n % 2 === 0;
    const data = { dueAt: new Date(dueAtMs), ...(hasJob ? {} : { generation: { increment: 1 } }) };
    await rig.db.delivery.update({ where: { id }, data });
    retries.push({ eventId: toId('msg', eventId), dueAtMs, hasJob });
  }
  return retries;
}

/** The lateness of the retry's request; Infinity if there is none. */
function lateMs(rig: Rig, { eventId, dueAtMs }: Retry): number {
  const receipt = rig.receivers.receipts.find((one) => one.eventId === eventId && one.attempt > 1);
  return (receipt?.atMs ?? Number.POSITIVE_INFINITY) - dueAtMs;
}

/** The number of waiting jobs in each second, until `isDone` or the time limit. */
async function watchDepth(rig: Rig, isDone: () => boolean, { untilMs }: { untilMs: number }): Promise<number[]> {
  const depths: number[] = [];
  do {
    depths.push(await jobsWaiting(rig));
    await rig.elapsed(1_000);
  } while (!isDone() && Date.now() < untilMs);
  return depths;
}
