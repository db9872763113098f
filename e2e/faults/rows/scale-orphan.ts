import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask } from './ask.ts';

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
  while ((await waiting(rig)) < wanted && sent < 2 * wanted) {
    sent += 1_000;
    await rig.load.burst(1_000, { to, concurrency: 32, padding: 0 });
  }
  const inFlight = await rig.inFlight();
  const victim = random.pick(rig.dispatchers);
  const tickets = await waiting(rig);
  await victim.kill();
  const killedAtMs = Date.now();
  say(`${victim.name} killed, ${inFlight} in flight, ${tickets} tickets wait`);
  const lost = await waitFor(async () => orphansOf(rig, killedAtMs), { what: 'orphans', timeoutMs: 1_000 });
  const again = async () =>
    (await attemptedAgain(rig, { lost, killedAtMs })).every((ms) => ms < Number.POSITIVE_INFINITY);
  await waitFor(again, { what: 'the orphans', timeoutMs: 2 * AGAIN_WITHIN_MS }).catch(() => undefined);
  const afterMs = await attemptedAgain(rig, { lost, killedAtMs });
  const left = await waiting(rig);
  say(`${lost.length} orphans; ${left} tickets wait; ${await removeRest(rig, endpoints)} deliveries taken away`);
  return {
    duplicatesAtMost: inFlight,
    retriesLateAtMostMs: 2 * AGAIN_WITHIN_MS,
    marks: [
      { what: 'tickets waiting', value: tickets, atLeast: wanted / 2 },
      { what: 'orphans', value: lost.length, atLeast: 1 },
      { what: 'attempted again after', unit: 'ms', value: Math.max(...afterMs), atMost: AGAIN_WITHIN_MS },
    ],
  };
}
