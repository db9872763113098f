import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { jobsWaiting, removeUnattempted } from './waiting-jobs.ts';

const TICKETS = 20_000;
const AGAIN_WITHIN_MS = 30_000;
/** Four places in each of three dispatchers: some 100 a second, so that thousands of tickets outlast the leases. */
const ANSWERS_AFTER_MS = 100;

/** A dispatcher dies with what it was delivering; nobody sweeps while thousands of tickets wait. */
export async function orphan(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      rig.addEndpoint({ name: `queue-${n}`, behaviour: () => ({ delayMs: ANSWERS_AFTER_MS }), loaded: false }),
    ),
  );
  const to = endpoints.map(({ name, eventType }) => ({ eventType, endpoints: [name] }));
  // Fewer would be swept: the row would prove nothing.
  const wanted = Math.max(9_000, scaled(TICKETS));
  let sent = 0;
  while ((await jobsWaiting(rig)) < wanted && sent < 2 * wanted) {
    sent += 1_000;
    await rig.load.burst(1_000, { to, concurrency: 32, padding: 0 });
  }
  const inFlight = await rig.inFlight();
  const victim = random.pick(rig.dispatchers);
  const tickets = await jobsWaiting(rig);
  await victim.kill();
  const killedAtMs = Date.now();
  say(`${victim.name} killed, ${inFlight} in flight, ${tickets} tickets wait`);
  // The others have settled by then.
  await rig.elapsed(2_000);
  const orphans = await rig.db.delivery.findMany({
    where: { status: 'delivering', updatedAt: { lt: new Date(killedAtMs) } },
    select: { eventId: true },
  });
  const eventIds = orphans.map((one) => toId('msg', one.eventId));
  const again = () => attemptedAgain(rig, { eventIds, killedAtMs });
  const all = () => again().every((ms) => ms < Number.POSITIVE_INFINITY);
  await waitFor(all, { what: 'the orphans', timeoutMs: 2 * AGAIN_WITHIN_MS }).catch(() => undefined);
  say(
    `${orphans.length} orphans, attempted again after ${again().join(' ')} ms; ${await jobsWaiting(rig)} tickets wait`,
  );
  say(`tickets that found a lease: ${await foundLeased(rig)}`);
  await removeUnattempted(rig, endpoints);
  return {
    duplicatesAtMost: inFlight,
    retriesLateAtMostMs: 2 * AGAIN_WITHIN_MS,
    marks: [
      { what: 'tickets waiting', value: tickets, atLeast: wanted / 2 },
      { what: 'orphans', value: orphans.length, atLeast: 1 },
      { what: 'attempted again after', unit: 'ms', value: Math.max(0, ...again()), atMost: AGAIN_WITHIN_MS },
    ],
  };
}

/** Tickets of orphans that came back before their leases had run out, and were to be rung again at their ends. */
async function foundLeased(rig: Rig): Promise<string> {
  const texts = await Promise.all(rig.dispatchers.map(async ({ url }) => (await ask('GET', `${url}/metrics`)).text));
  return texts.map((text) => /^posthorn_claims_total\{result="leased"\} (\d+)/m.exec(text)?.[1] ?? '0').join(' ');
}

/** For each, the ms from the death to its next request; Infinity while there is none. What was on its way arrives at once. */
function attemptedAgain(
  rig: Rig,
  { eventIds, killedAtMs }: { eventIds: readonly string[]; killedAtMs: number },
): number[] {
  return eventIds.map((eventId) => {
    const first = rig.receivers.receipts.find((one) => one.eventId === eventId && one.atMs > killedAtMs + 1_000);
    return (first?.atMs ?? Number.POSITIVE_INFINITY) - killedAtMs;
  });
}
