import { waitFor } from '@posthorn/testkit/wait-for';
import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { createInFlight, isNew, noneEnded, noServerErrors, otherErrors, resumedAfter } from './marks.ts';
import { answerTimes, type Probe, startProbes } from './probes.ts';
import { loadWhile } from './restarts.ts';

const PER_SECOND = 40;
const PROBE_EVERY_MS = 1_000;
const ANSWERS_WITHIN_MS = 40_000;
const RESUMES_WITHIN_MS = 45_000;
const WARM_UP_EVENTS = 500;
const LISTS_AT_ONCE = 40;
/** After this time the fault ends, so that the rest can be drained. */
const WATCHED_MS = 60_000;
/** The load continues for this long once everything works again. */
const CONTINUES_FOR_MS = 5_000;

const PASS = 'answers ≤ 40 s, deliveries resume ≤ 45 s, no process ends';
/** One process of each kind, because a second one would do the work of the first. */
const PAIR = { apis: 1, dispatchers: 1 };

export const postgresHalfOpen: Row = {
  name: 'postgres-half-open',
  fault: `every connection of an API and a dispatcher to Postgres goes silent at ${PER_SECOND} events/s; new ones work`,
  pass: PASS,
  rig: PAIR,
  run: (rig, tools) =>
    watchSilence(rig, tools, {
      silence: async () => rig.postgres.freeze('existing'),
      end: async () => rig.postgres.thaw(),
      mayRefuse: true,
    }),
};

export const redisFailover: Row = {
  name: 'redis-failover',
  fault: `Redis fails over at ${PER_SECOND} events/s: the old master stays as a read-only replica, and new connections reach the new master`,
  pass: `no 5xx, ${PASS}`,
  ownStores: true,
  rig: PAIR,
  run: (rig, tools) =>
    watchSilence(rig, tools, {
      silence: () => rig.redis.failOver(),
      end: async () => {
        for (const { redis } of [...rig.apis, ...rig.dispatchers]) redis.cut();
      },
      mayRefuse: false,
    }),
};

type Silence = {
  silence: () => Promise<void>;
  /** Ends the fault if the processes have not recovered. */
  end: () => Promise<void>;
  /** Whether 503 is allowed during the fault. */
  mayRefuse: boolean;
};

async function watchSilence(rig: Rig, { scaled, say }: Tools, { silence, end, mayRefuse }: Silence): Promise<Outcome> {
  const [api] = rig.apis;
  if (api === undefined) throw new Error('no API runs');
  await openAllConnections(rig, api);
  const probes = startProbes(rig, { api, to: rig.endpoints, everyMs: PROBE_EVERY_MS });
  const inFlight = createInFlight(rig);
  let silentMs = Number.POSITIVE_INFINITY;
  const acceptedAfter = () => acceptedAfterMs(probes.answered, silentMs);
  const deliveriesAfter = () => resumedAfter(rig, silentMs, (receipt) => isNew(rig, receipt, silentMs));
  const watch = async () => {
    await rig.elapsed(3_000);
    await silence();
    silentMs = Date.now();
    await inFlight.note();
    const worksAgain = () => acceptedAfter() < WATCHED_MS && deliveriesAfter() < WATCHED_MS;
    const recovered = await waitFor(worksAgain, { what: 'everything to work again', timeoutMs: WATCHED_MS }).catch(
      () => false, // The marks show the failure.
    );
    say(`accepted again after ${acceptedAfter()} ms, deliveries resume after ${deliveriesAfter()} ms`);
    const measured = { acceptedMs: acceptedAfter(), resumedMs: deliveriesAfter() };
    if (recovered) await rig.elapsed(CONTINUES_FOR_MS);
    await end();
    return measured;
  };
  const { acceptedMs, resumedMs } = await loadWhile(rig.load, { perSecond: Math.max(5, scaled(PER_SECOND)) }, watch());
  await probes.end();
  await rig.drain();
  const longestMs = Math.max(...answerTimes(probes.answered));
  const marks: Mark[] = [
    { what: 'accepted again', unit: 'ms', value: acceptedMs, atMost: ANSWERS_WITHIN_MS },
    { what: 'longest answer', unit: 'ms', value: longestMs, atMost: ANSWERS_WITHIN_MS },
    { what: 'deliveries resume', unit: 'ms', value: resumedMs, atMost: RESUMES_WITHIN_MS },
    mayRefuse ? otherErrors(rig) : noServerErrors(rig),
    noneEnded(rig),
  ];
  const recoveryMs = Math.max(acceptedMs, resumedMs);
  // Attempts that were in flight when the store went silent may be repeated, because their results could
  // not be written.
  return { duplicatesAtMost: inFlight.count(), retriesLateAtMostMs: RESUMES_WITHIN_MS, recoveryMs, marks };
}

/** Opens all connections of the pools, as in a busy process. A connection that opens later would not go silent. */
async function openAllConnections(rig: Rig, api: Member): Promise<void> {
  const url = `${api.url}/management/v1/workspaces/${rig.workspaceId}/deliveries`;
  const lists = Array.from({ length: LISTS_AT_ONCE }, () => ask('GET', url, { token: rig.managementToken }));
  await Promise.all([...lists, rig.load.burst(WARM_UP_EVENTS, { concurrency: 64 })]);
  await rig.drain();
}

/** The ms from this moment to the answer of the first accepted event that was sent after it. */
function acceptedAfterMs(probes: readonly Probe[], fromMs: number): number {
  const accepted = probes.filter(({ of, status, atMs }) => of === 'ingest' && status === 202 && atMs >= fromMs);
  return Math.min(...accepted.map(({ atMs, afterMs }) => atMs + afterMs - fromMs));
}
