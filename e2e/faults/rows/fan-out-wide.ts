import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import { leaveOutInserts } from '../history.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { noneEnded } from './marks.ts';
import { sendBatches } from './other-workspace.ts';
import { watchMember } from './process-watch.ts';
import { subscribeMany } from './subscribe-many.ts';

const EVENTS = 800;
const ENDPOINTS = 1_500;
const HEAP_MB = 320;
const RESIDENT_MB = 384;
const BLOCKED_MS = 1_000;
/** Few: what is measured is how deliveries are made, not how they are sent. */
const PLACES = 10;
const MADE_WITHIN_MS = 200_000;
const WIDE_TYPE = 'load.broad';

export const fanOutWide: Row = {
  name: 'fan-out-wide',
  fault: `${EVENTS} events that each go to ${ENDPOINTS.toLocaleString('en')} endpoints wait for a dispatcher with a heap of ${HEAP_MB} MB`,
  pass: 'loop blocked ≤ 1 s, resident ≤ 384 MiB, all deliveries made',
  rig: { apis: 1, dispatchers: 1, endpoints: 1, settings: { DELIVERY_CONCURRENCY: `${PLACES}` } },
  run: wide,
};

async function wide(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const [dispatcher] = rig.dispatchers;
  if (dispatcher === undefined) throw new Error('there is no dispatcher');
  const endpoints = await subscribeMany(rig, { eventType: WIDE_TYPE, prefix: 'wide', count: ENDPOINTS });
  say(`${endpoints.length} endpoints`);
  await dispatcher.stop();
  const events = scaled(EVENTS);
  await sendBatches(rig, { apiKey: rig.apiKey, targets: [{ eventType: WIDE_TYPE, endpoints }], events });
  // A million moves would be read and judged, of deliveries that are taken away unattempted.
  await leaveOutInserts(rig.db);
  const endedBefore = dispatcher.exits.length;

  await dispatcher.start({ nodeArgs: [`--max-old-space-size=${HEAP_MB}`] });
  const beganMs = performance.now();
  const watch = watchMember(dispatcher, rig.elapsed);
  const isDone = async () => (await rig.db.pendingFanOut.count()) === 0;
  const madeAll = await waitFor(isDone, { what: 'the deliveries to be made', timeoutMs: MADE_WITHIN_MS }).catch(
    () => false, // The marks say how many there are.
  );
  const seconds = (performance.now() - beganMs) / 1_000;
  await watch.end();
  const { blockedMs, residentMb } = watch.most();
  // The row has stopped it once itself.
  const ended = { ...noneEnded(rig), value: noneEnded(rig).value - endedBefore };
  const made = await rig.db.delivery.count();
  say(`${made} made in ${seconds.toFixed(1)} s; blocked ${Math.round(blockedMs)} ms, resident ${residentMb} MiB`);
  await removeRest(rig, { giveUp: !madeAll });
  return {
    // What a life that ends was sending is sent again.
    duplicatesAtMost: PLACES * ended.value,
    marks: [
      { what: 'loop blocked', unit: 'ms', value: blockedMs, atMost: BLOCKED_MS },
      { what: 'resident, MiB', value: residentMb, atMost: RESIDENT_MB },
      { what: 'deliveries made', value: made, atLeast: events * ENDPOINTS, atMost: events * ENDPOINTS },
      ended,
      { what: 'made a second', value: made / seconds },
    ],
  };
}

/**
 * Takes away what was not attempted yet, so that a million requests need not be waited for; the account keeps the rest.
 * With `giveUp` the events that are not fanned out go too.
 */
async function removeRest(rig: Rig, { giveUp }: { giveUp: boolean }): Promise<void> {
  if (giveUp) await rig.db.pendingFanOut.deleteMany();
  await rig.db.$executeRaw`delete from delivery where status = 'pending' and total_attempts = 0`;
  await rig.drain();
  const rows = await rig.db.delivery.findMany({ select: { eventId: true, endpointId: true } });
  const names = new Map(rig.endpoints.map(({ uuid, name }) => [uuid, name]));
  const kept = new Map<string, string[]>();
  for (const { eventId, endpointId } of rows) {
    const reached = kept.get(toId('msg', eventId)) ?? [];
    kept.set(toId('msg', eventId), [...reached, names.get(endpointId) ?? endpointId]);
  }
  for (const event of rig.load.sent) event.endpoints = kept.get(event.eventId ?? '') ?? [];
}
