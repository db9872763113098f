import { fromId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { createInFlight, isNew, noneEnded, otherErrors, resumedAfter } from './marks.ts';
import { loadWhile } from './restarts.ts';
import { jobsWaiting } from './waiting-jobs.ts';

const PER_SECOND = 20;
const RESUMES_WITHIN_MS = 30_000;
/** The longest delay of an asynchronous standby when its link ends. */
const BEHIND_MS = 2_000;
const EVENTS_OF_EACH = 20;
/** The time limit for setting up the fault. The machine may be busy with other work. */
const SET_UP_WITHIN_MS = 120_000;
/** The time limit for the end of all jobs. A job of a lost delivery may wait for its time. */
const JOBS_END_WITHIN_MS = 60_000;

export const asyncStandbyLosesCommits: Row = {
  name: 'async-standby-loses-commits',
  fault: `the primary of Postgres loses its link to an asynchronous standby at ${PER_SECOND} events/s, takes changes and events that the standby never gets, and is killed; the standby is promoted behind the same address`,
  pass: 'nothing that the standby has is lost, nobody obeys a lost change, even after the next change, no job is left, no process ends',
  rig: { standby: 'asynchronous', dispatchers: 2, endpoints: 4 },
  run: loseCommits,
};

async function loseCommits(rig: Rig, { scaled, say }: Tools) {
  const inFlight = createInFlight(rig);
  const changed = await rig.addEndpoint({ name: 'changed', loaded: false });
  const outsider = await rig.addEndpoint({ name: 'outsider', loaded: false });
  // Now the processes know the endpoint and its subscribers.
  await sendTo(rig, changed, ['changed']);
  await rig.drain();
  let cutMs = 0;
  let promotedMs = 0;
  const trouble = async () => {
    await rig.elapsed(scaled(10) * 1_000);
    await inFlight.note();
    cutMs = Date.now();
    rig.postgres.cutStandbyOff();
    await change(rig, changed, { url: rig.receivers.urlOf('lost') });
    await subscribeTo(rig, outsider, changed);
    // Every process learns of the changes that will be lost.
    await sendTo(rig, changed, ['lost', 'outsider']);
    for (const endpoint of ['lost', 'outsider']) {
      const isKnown = () => receiptsOf(rig, endpoint, cutMs) >= EVENTS_OF_EACH;
      await waitFor(isKnown, { what: `${EVENTS_OF_EACH} requests to ${endpoint}`, timeoutMs: SET_UP_WITHIN_MS });
    }
    await rig.elapsed(scaled(10) * 1_000);
    await inFlight.note();
    await rig.postgres.failOver();
    promotedMs = Date.now();
    const isResumed = () => resumed() < RESUMES_WITHIN_MS;
    await waitFor(isResumed, { what: 'deliveries', timeoutMs: 2 * RESUMES_WITHIN_MS }).catch(() => undefined); // A mark shows it.
  };
  const resumed = () => resumedAfter(rig, promotedMs, (receipt) => isNew(rig, receipt, promotedMs));
  await loadWhile(rig.load, { perSecond: PER_SECOND }, trouble());
  const recoveryMs = resumed();
  const lost = await forgetLost(rig);
  const lostEarly = lost.filter((acceptedAtMs) => acceptedAtMs < cutMs - BEHIND_MS).length;
  say(`promoted ${promotedMs - cutMs} ms after the link was cut: ${lost.length} accepted events are not there`);
  await sendTo(rig, changed, ['changed']);
  await rig.drain();
  // Another change must not be taken for the lost one.
  await change(rig, changed, { description: 'changed again' });
  await sendTo(rig, changed, ['changed']);
  await rig.drain();
  // The standby does not know what has happened to its events since the cut.
  const kept = new Set(rig.load.sent.map(({ eventId }) => eventId));
  const settledTwice = rig.receivers.receipts.filter(
    ({ eventId, atMs }) => kept.has(eventId) && atMs >= cutMs - BEHIND_MS && atMs <= promotedMs,
  ).length;
  const noneLeft = async () => (await jobsWaiting(rig)) === 0;
  await waitFor(noneLeft, { what: 'the jobs', timeoutMs: JOBS_END_WITHIN_MS }).catch(() => undefined); // A mark shows it.
  return {
    duplicatesAtMost: inFlight.count() + settledTwice,
    retriesLateAtMostMs: RESUMES_WITHIN_MS,
    recoveryMs,
    marks: [
      { what: 'accepted events that were lost', value: lost.length, atLeast: EVENTS_OF_EACH },
      { what: 'lost although the standby was linked', value: lostEarly, atMost: 0 },
      { what: 'requests to the lost URL', value: receiptsOf(rig, 'lost', promotedMs), atMost: 0 },
      { what: 'requests of the lost subscription', value: receiptsOf(rig, 'outsider', promotedMs), atMost: 0 },
      { what: 'jobs left', value: await jobsWaiting(rig), atMost: 0 },
      { what: 'deliveries resume', unit: 'ms' as const, value: recoveryMs, atMost: RESUMES_WITHIN_MS },
      otherErrors(rig),
      noneEnded(rig),
    ],
  };
}

const sendTo = (rig: Rig, { eventType }: Endpoint, endpoints: readonly string[]) =>
  rig.load.burst(EVENTS_OF_EACH, { to: [{ eventType, endpoints }] });

const receiptsOf = (rig: Rig, endpoint: string, fromMs: number) =>
  rig.receivers.receipts.filter((receipt) => receipt.endpoint === endpoint && receipt.atMs >= fromMs).length;

async function change(rig: Rig, { id }: Endpoint, changes: object): Promise<void> {
  const { status } = await rig.client.call('PATCH', `/endpoints/${id}`, changes);
  if (status !== 200) throw new Error(`the change was answered with ${status}`);
}

async function subscribeTo(rig: Rig, { id }: Endpoint, { eventType }: Endpoint): Promise<void> {
  const types = await rig.client.call<{ id: string; name: string }[]>('GET', '/event-types');
  const eventTypeIds = types.body.filter(({ name }) => name === eventType).map((type) => type.id);
  await rig.client.call('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds });
}

/**
 * Removes the ids of events that Postgres no longer has, because they cannot be delivered. The verdict then neither
 * expects them nor objects to their requests. Returns the times at which they were accepted.
 */
async function forgetLost(rig: Rig): Promise<number[]> {
  const accepted = rig.load.sent.flatMap((event) => (event.eventId === undefined ? [] : [event]));
  const ids = accepted.map(({ eventId }) => fromId('msg', eventId ?? '') ?? '');
  const rows = await rig.db.$queryRaw<{ id: string }[]>`select id from event where id = any(${ids}::uuid[])`;
  const kept = new Set(rows.map(({ id }) => id));
  const lost = accepted.filter((_, index) => !kept.has(ids[index] ?? ''));
  const times = lost.map(({ acceptedAtMs = 0 }) => acceptedAtMs);
  for (const event of lost) Object.assign(event, { eventId: undefined, acceptedAtMs: undefined });
  return times;
}
