import { fromId } from '@posthorn/contract/ids';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';

const EVENTS = 10_000;

/** Each function corrupts the sealed payload of the event `victim`. `other` is an intact event. */
const spoilers: Record<string, (rig: Rig, ids: { victim: string; other: string }) => Promise<number>> = {
  'a bit flipped': ({ db }, { victim }) => db.$executeRaw`
    update event set payload = set_bit(payload, 8 * (length(payload) - 30), 1 - get_bit(payload, 8 * (length(payload) - 30)))
    where id = ${victim}::uuid`,
  'of an unknown key': ({ db }, { victim }) => db.$executeRaw`
    update event set payload = set_byte(payload, 2, 122) where id = ${victim}::uuid`,
  'cut short': ({ db }, { victim }) => db.$executeRaw`
    update event set payload = substring(payload from 1 for 3) where id = ${victim}::uuid`,
  'of another event': ({ db }, { victim, other }) => db.$executeRaw`
    update event set payload = (select payload from event where id = ${other}::uuid) where id = ${victim}::uuid`,
};

/** Corrupts the payloads while no dispatcher runs, so that none is sent before. */
export async function unreadable(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const victims = await rig.addEndpoint({ name: 'victims', endsAs: 'failed', loaded: false });
  const to = [{ eventType: victims.eventType, endpoints: [victims.name] }];
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.stop()));
  const names = random.sample(Object.keys(spoilers), Object.keys(spoilers).length);
  const parts = names.length + 1;
  for (const name of names) {
    await rig.load.burst(scaled(EVENTS / parts));
    await rig.load.burst(1, { to });
    const spoiled = await spoilers[name]?.(rig, { victim: idOf(rig, -1), other: idOf(rig, -2) });
    if (spoiled !== 1) throw new Error(`the payload could not be spoiled: ${name}`);
  }
  await rig.load.burst(scaled(EVENTS / parts));
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.start()));
  await rig.drain();
  const unreadable = { failureReason: 'payload_unreadable' };
  const told = await rig.client.call<{
    deliveries: { status: string; failureReason: string; totalAttempts: number }[];
  }>('GET', `/endpoints/${victims.id}/deliveries`);
  say(told.body.deliveries.map((one) => `${one.status} ${one.failureReason} ${one.totalAttempts}`).join(', '));
  return {
    duplicatesAtMost: 0,
    marks: [
      {
        what: 'payload_unreadable',
        value: await rig.db.delivery.count({ where: unreadable }),
        atMost: names.length,
        atLeast: names.length,
      },
      {
        what: 'shown in the list',
        value: told.body.deliveries.filter((one) => one.failureReason === 'payload_unreadable').length,
        atLeast: names.length,
      },
      {
        what: 'requests with unreadable payloads',
        value: rig.receivers.receipts.filter((one) => one.endpoint === victims.name).length,
        atMost: 0,
      },
      {
        what: 'other failures',
        value: await rig.db.delivery.count({ where: { NOT: unreadable, status: 'failed' } }),
        atMost: 0,
      },
    ],
  };
}

/** The UUID of an accepted event. `at` counts from the end. */
function idOf(rig: Rig, at: number): string {
  return fromId('msg', rig.load.sent.at(at)?.eventId ?? '') ?? '';
}
