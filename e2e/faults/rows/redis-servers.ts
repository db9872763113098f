import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { isNew, noneEnded, noServerErrors, resumedAfter } from './marks.ts';
import { loadWhile } from './restarts.ts';

const PER_SECOND = 60;
const RESUMES_WITHIN_MS = 30_000;
const SHARDS = 4;
const MOVES = 20;
const KILLED_AFTER_MS = 3_000;
const PASS = 'no 5xx, no process ends, deliveries of new events ≤ 30 s after, no duplicates';

const rows: readonly Row[] = [
  {
    name: 'redis-cluster-slot-moved',
    fault: `a Redis Cluster of three masters at ${PER_SECOND} events/s, ${SHARDS} shards: the hash slot of a queue moves ${MOVES} times`,
    pass: PASS,
    rig: { redisServers: 'cluster', settings: { DELIVER_QUEUE_SHARDS: `${SHARDS}` } },
    run: moveSlots,
  },
  {
    name: 'redis-cluster-master-killed',
    fault: `a Redis Cluster of three masters with a replica each at ${PER_SECOND} events/s, ${SHARDS} shards: the master of a queue is killed`,
    pass: PASS,
    rig: { redisServers: 'replicated-cluster', settings: { DELIVER_QUEUE_SHARDS: `${SHARDS}` } },
    run: killMasterOfCluster,
  },
  {
    name: 'redis-sentinel-master-killed',
    fault: `the master of three sentinels is killed at ${PER_SECOND} events/s; the sentinels promote its replica`,
    pass: PASS,
    rig: { redisServers: 'sentinels' },
    run: killMaster,
  },
];

/** Only the shape `scaled` has a Redis that can fail. */
export const redisServerRows: readonly Row[] = rows.map((row) => ({ ...row, shapes: ['scaled'] }));

async function moveSlots(rig: Rig, tools: Tools): Promise<Outcome> {
  const { redisServers, queuePrefix } = rig;
  if (redisServers?.kind !== 'cluster') throw new Error('the row needs a Cluster');
  const queues = ['fan-out', 'deliver', ...Array.from({ length: SHARDS - 1 }, (_, n) => `deliver-${n + 1}`)];
  return watchFault(rig, tools, async () => {
    for (let n = 0; n < Math.max(2, tools.scaled(MOVES)); n += 1) {
      await rig.elapsed(tools.random.whole(500, 2_500));
      await redisServers.moveSlotOf(`{${queuePrefix}:${queues[n % queues.length]}}`);
    }
  });
}

async function killMasterOfCluster(rig: Rig, tools: Tools): Promise<Outcome> {
  const { redisServers, queuePrefix } = rig;
  if (redisServers?.kind !== 'replicated-cluster') throw new Error('the row needs a Cluster with replicas');
  return watchFault(rig, tools, async () => {
    await rig.elapsed(Math.max(1_000, tools.scaled(KILLED_AFTER_MS)));
    await redisServers.killMasterOf(`{${queuePrefix}:deliver}`);
  });
}

async function killMaster(rig: Rig, tools: Tools): Promise<Outcome> {
  const { redisServers } = rig;
  if (redisServers?.kind !== 'sentinels') throw new Error('the row needs sentinels');
  return watchFault(rig, tools, async () => {
    await rig.elapsed(Math.max(1_000, tools.scaled(KILLED_AFTER_MS)));
    await redisServers.killMaster();
  });
}

/** Runs load until events that were accepted after the fault are delivered. */
async function watchFault(rig: Rig, { scaled, say }: Tools, fault: () => Promise<void>): Promise<Outcome> {
  const watch = async () => {
    const fromMs = Date.now();
    await fault();
    const faultMs = Date.now();
    const resumedMs = () => resumedAfter(rig, faultMs, (receipt) => isNew(rig, receipt, faultMs));
    const resumed = () => resumedMs() < Number.POSITIVE_INFINITY;
    await waitFor(resumed, { what: 'deliveries of new events', timeoutMs: RESUMES_WITHIN_MS }).catch(
      () => undefined, // The mark shows the failure.
    );
    rig.redis.outages.push({ fromMs, toMs: Date.now() });
    say(`deliveries of new events ${resumedMs()} ms after`);
    await rig.elapsed(scaled(5_000));
    return resumedMs();
  };
  const recoveryMs = await loadWhile(rig.load, { perSecond: PER_SECOND }, watch());
  await rig.drain();
  const marks: Mark[] = [
    { what: 'new events wait', unit: 'ms', value: recoveryMs, atMost: RESUMES_WITHIN_MS },
    noServerErrors(rig),
    noneEnded(rig),
  ];
  return { duplicatesAtMost: 0, retriesLateAtMostMs: RESUMES_WITHIN_MS, recoveryMs, marks };
}
