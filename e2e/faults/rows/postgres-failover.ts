import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { createInFlight, isNew, noneEnded, otherErrors, resumedAfter } from './marks.ts';
import { loadWhile } from './restarts.ts';

const PER_SECOND = 50;
const RESUMES_WITHIN_MS = 30_000;
/** After this time, the load ends even if deliveries have not resumed. */
const WATCHED_MS = 60_000;

export const postgresFailover: Row = {
  name: 'postgres-failover',
  fault: `the primary of Postgres loses its link to the synchronous standby at ${PER_SECOND} events/s and is killed; the standby is promoted behind the same address`,
  pass: 'no accepted event lost, events are accepted and delivered ≤ 30 s after the loss, no process ends',
  rig: { standby: 'synchronous' },
  run: failOver,
};

async function failOver(rig: Rig, { random, scaled, say }: Tools) {
  const inFlight = createInFlight(rig);
  let lostMs = 0;
  const acceptedBefore = () => rig.load.sent.filter((event) => (event.acceptedAtMs ?? Infinity) < lostMs).length;
  const resumed = () => resumedAfter(rig, lostMs, (receipt) => isNew(rig, receipt, lostMs));
  const trouble = async () => {
    await rig.elapsed(random.whole(1_000, 2_000) + scaled(30) * 1_000);
    await inFlight.note();
    lostMs = Date.now();
    await rig.postgres.failOver();
    say(`promoted ${Date.now() - lostMs} ms after the link was lost`);
    const isResumed = () => resumed() < WATCHED_MS;
    await waitFor(isResumed, { what: 'deliveries to resume', timeoutMs: WATCHED_MS }).catch(() => undefined); // A mark shows it.
    await rig.elapsed(scaled(30) * 1_000);
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, trouble());
  const recoveryMs = resumed();
  say(`${acceptedBefore()} events accepted before that, deliveries resumed after ${Math.round(recoveryMs)} ms`);
  await rig.drain();
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: RESUMES_WITHIN_MS,
    recoveryMs,
    marks: [
      { what: 'accepted before', value: acceptedBefore(), atLeast: PER_SECOND },
      { what: 'deliveries resume', unit: 'ms' as const, value: recoveryMs, atMost: RESUMES_WITHIN_MS },
      otherErrors(rig),
      noneEnded(rig),
    ],
  };
}
