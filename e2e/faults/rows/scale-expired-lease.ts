import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { jobsWaiting, removeUnattempted } from './waiting-jobs.ts';

const JOBS = 20_000;
const AGAIN_WITHIN_MS = 30_000;
/**
 * With four slots in each of three dispatchers, this allows some 100 a second, so thousands of jobs outlast the leases.
 */
const ANSWERS_AFTER_MS = 100;

/**
 * A dispatcher dies with deliveries in flight while thousands of jobs wait, so that its expired leases cannot rely
 * on the reconciler.
 */
export async function expiredLease(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      rig.addEndpoint({ name: `queue-${n}`, behaviour: () => ({ delayMs: ANSWERS_AFTER_MS }), loaded: false }),
    ),
  );
  const to = endpoints.map(({ name, eventType }) => ({ eventType, endpoints: [name] }));
  // With fewer jobs, the reconciler would enqueue all overdue rows, and the row would prove nothing.
  const wanted = Math.max(9_000, scaled(JOBS));
  let sent = 0;
  while ((await jobsWaiting(rig)) < wanted && sent < 2 * wanted) {
    sent += 1_000;
    await rig.load.burst(1_000, { to, concurrency: 32, padding: 0 });
  }
  const inFlight = await rig.inFlight();
  const victim = random.pick(rig.dispatchers);
  const jobs = await jobsWaiting(rig);
  await victim.kill();
  const killedAtMs = Date.now();
  say(`${victim.name} killed, ${inFlight} in flight, ${jobs} jobs wait`);
  // By then, the other dispatchers have settled their deliveries.
  await rig.elapsed(2_000);
  const expired = await rig.db.delivery.findMany({
    where: { status: 'delivering', updatedAt: { lt: new Date(killedAtMs) } },
    select: { eventId: true },
  });
  const eventIds = expired.map((one) => toId('msg', one.eventId));
  const again = () => attemptedAgain(rig, { eventIds, killedAtMs });
  const all = () => again().every((ms) => ms < Number.POSITIVE_INFINITY);
  await waitFor(all, { what: 'the expired leases', timeoutMs: 2 * AGAIN_WITHIN_MS }).catch(() => undefined);
  say(
    `${expired.length} expired leases, attempted again after ${again().join(' ')} ms; ${await jobsWaiting(rig)} jobs wait`,
  );
  say(`jobs that found a lease: ${await foundLeased(rig)}`);
  await removeUnattempted(rig, endpoints);
  return {
    duplicatesAtMost: inFlight,
    retriesLateAtMostMs: 2 * AGAIN_WITHIN_MS,
    marks: [
      { what: 'jobs waiting', value: jobs, atLeast: wanted / 2 },
      { what: 'expired leases', value: expired.length, atLeast: 1 },
      { what: 'attempted again after', unit: 'ms', value: Math.max(0, ...again()), atMost: AGAIN_WITHIN_MS },
    ],
  };
}

/** The number of jobs in each dispatcher that found a live lease. Each is enqueued again when that lease expires. */
async function foundLeased(rig: Rig): Promise<string> {
  const texts = await Promise.all(
    rig.dispatchers.map(async ({ metricsUrl }) => (await ask('GET', `${metricsUrl}/metrics`)).text),
  );
  return texts.map((text) => /^posthorn_claims_total\{result="leased"\} (\d+)/m.exec(text)?.[1] ?? '0').join(' ');
}

/**
 * For each event, the ms from the death to its next request; Infinity if there is none. Requests from before the death
 * arrive within the first second, and are left out.
 */
function attemptedAgain(
  rig: Rig,
  { eventIds, killedAtMs }: { eventIds: readonly string[]; killedAtMs: number },
): number[] {
  return eventIds.map((eventId) => {
    const first = rig.receivers.receipts.find((one) => one.eventId === eventId && one.atMs > killedAtMs + 1_000);
    return (first?.atMs ?? Number.POSITIVE_INFINITY) - killedAtMs;
  });
}
