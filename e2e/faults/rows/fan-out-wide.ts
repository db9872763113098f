import { toId } from '@posthorn/contract/ids';
import { insertSubscribers } from '@posthorn/testkit/subscribers';
import { waitFor } from '@posthorn/testkit/wait-for';
import { leaveOutInserts } from '../history.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { uuidOf } from './interface-things.ts';
import { noneEnded } from './marks.ts';
import { sendBatches } from './other-workspace.ts';
import { watchMember } from './process-watch.ts';
import { SEALING_KEYS } from './scale-backlog.ts';

const EVENTS = 800;
const ENDPOINTS = 1_500;
const HEAP_MB = 320;
const RESIDENT_MB = 384;
const BLOCKED_MS = 1_000;
/** Few slots, because the row measures how deliveries are made, not how they are sent. */
const SLOTS = 10;
const MADE_WITHIN_MS = 220_000;
const WARM_UP_EVENTS = 500;
const WIDE_TYPE = 'load.broad';

export const fanOutWide: Row = {
  name: 'fan-out-wide',
  fault: `${EVENTS} events that each go to ${ENDPOINTS.toLocaleString('en')} endpoints come at once to a dispatcher with a heap of ${HEAP_MB} MB`,
  pass: 'loop blocked ≤ 1 s, resident ≤ 384 MiB, all deliveries made',
  rig: { apis: 1, dispatchers: 1, endpoints: 3, settings: { SEALING_KEYS, DELIVERY_CONCURRENCY: `${SLOTS}` } },
  run: wide,
};

async function wide(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const [dispatcher] = rig.dispatchers;
  if (dispatcher === undefined) throw new Error('there is no dispatcher');
  const endpoints = await addSubscribers(rig);
  await dispatcher.stop();
  const endedBefore = dispatcher.exits.length;
  await dispatcher.start({ nodeArgs: [`--max-old-space-size=${HEAP_MB}`] });
  // Warm up: the first seconds of a process are not typical.
  await rig.load.burst(WARM_UP_EVENTS);
  await rig.drain();
  // Otherwise a million moves would be read and judged, of deliveries that are deleted before an attempt.
  await leaveOutInserts(rig.db);

  const events = scaled(EVENTS);
  const madeBefore = await rig.db.delivery.count();
  const watch = await watchMember(dispatcher, rig.elapsed);
  const beganMs = performance.now();
  await sendBatches(rig, { apiKey: rig.apiKey, targets: [{ eventType: WIDE_TYPE, endpoints }], events });
  const isDone = async () => (await rig.db.pendingFanOut.count()) === 0;
  const madeAll = await waitFor(isDone, { what: 'the deliveries to be made', timeoutMs: MADE_WITHIN_MS }).catch(
    () => false, // The marks show the number made.
  );
  const seconds = (performance.now() - beganMs) / 1_000;
  await watch.end();
  const { blockedMs, residentMb } = watch.most();
  // The row itself stopped the process once.
  const ended = { ...noneEnded(rig), value: noneEnded(rig).value - endedBefore };
  const made = (await rig.db.delivery.count()) - madeBefore;
  say(`${made} made in ${seconds.toFixed(1)} s; blocked ${Math.round(blockedMs)} ms, resident ${residentMb} MiB`);
  // Stop the dispatcher: a running fan-out would make the deleted deliveries again.
  await dispatcher.stop();
  await removeRest(rig, { endpoints, giveUp: !madeAll });
  return {
    // Requests in flight at the end of a life are sent again.
    duplicatesAtMost: SLOTS * ended.value,
    // There are few slots for many deliveries, so the row does not measure the lateness of retries.
    retriesLateAtMostMs: 60_000,
    marks: [
      { what: 'loop blocked', unit: 'ms', value: blockedMs, atMost: BLOCKED_MS },
      { what: 'resident, MiB', value: residentMb, atMost: RESIDENT_MB },
      { what: 'deliveries made', value: made, atLeast: events * ENDPOINTS, atMost: events * ENDPOINTS },
      ended,
      { what: 'made per second', value: made / seconds },
    ],
  };
}

/** Adds endpoints that all get every event of the wide type, and returns their names. */
async function addSubscribers(rig: Rig): Promise<string[]> {
  const { client, environmentId } = rig;
  await client.call('POST', '/event-types', { name: WIDE_TYPE, publishIn: [environmentId] });
  const types = await client.call<{ id: string; name: string }[]>('GET', '/event-types');
  const names = Array.from({ length: ENDPOINTS }, (_, n) => `wide-${n}`);
  const uuids = await insertSubscribers(rig.db, {
    sealingKeys: SEALING_KEYS,
    workspaceId: uuidOf('ws', rig.workspaceId),
    environmentId: uuidOf('env', environmentId),
    eventTypeId: uuidOf('evt', types.body.find(({ name }) => name === WIDE_TYPE)?.id ?? ''),
    urls: names.map((name) => rig.receivers.urlOf(name)),
  });
  for (const [n, uuid] of uuids.entries()) {
    rig.endpoints.push({ name: `wide-${n}`, id: toId('ep', uuid), uuid, eventType: WIDE_TYPE });
  }
  return names;
}

/**
 * Deletes the deliveries that were not attempted, so that the row need not wait for a million requests. The verdict
 * then expects only the attempted deliveries of the wide events. No dispatcher may run during the call, and all run
 * after it. With `giveUp`, the events that are not fanned out are deleted too.
 */
async function removeRest(
  rig: Rig,
  { endpoints, giveUp }: { endpoints: readonly string[]; giveUp: boolean },
): Promise<void> {
  if (giveUp) await rig.db.pendingFanOut.deleteMany();
  await rig.db.$executeRaw`delete from delivery where status = 'pending' and total_attempts = 0`;
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.start()));
  await rig.drain();
  const rows = await rig.db.delivery.findMany({ select: { eventId: true, endpointId: true } });
  const names = new Map(rig.endpoints.map(({ uuid, name }) => [uuid, name]));
  const kept = new Map<string, string[]>();
  for (const { eventId, endpointId } of rows) {
    const reached = kept.get(toId('msg', eventId)) ?? [];
    kept.set(toId('msg', eventId), [...reached, names.get(endpointId) ?? endpointId]);
  }
  const wide = rig.load.sent.filter((event) => event.endpoints === endpoints);
  for (const event of wide) event.endpoints = kept.get(event.eventId ?? '') ?? [];
}
