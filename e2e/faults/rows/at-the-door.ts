import { toId } from '@posthorn/contract/ids';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { quantile, type SentEvent } from '../oracle.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row } from '../row.ts';

const CHANGES_A_SECOND = 50;
/** After this many changes, there are none for a while. An event that is sent then has only one possible routing. */
const CHANGES_AT_ONCE = 50;
const QUIET_MS = 3_000;
/** Fan-out matches an event that was accepted during a change, a moment after its response. */
const FANNED_OUT_WITHIN_MS = 1_500;
const SECONDS = 20;
const PER_SECOND = 100;
const LOCKED_SECONDS = 5;
const ANSWERS_P99_MS = 1_000;

/** An interval in which a change may have taken effect, and whether the endpoint is subscribed after it. */
type Change = { fromMs: number; toMs: number; isSubscribed: boolean };

const routingChanges: Row = {
  name: 'routing-changes-while-accepting',
  fault: `an endpoint is subscribed and unsubscribed ${CHANGES_A_SECOND} times a second, with pauses, for ${SECONDS} s, while ${PER_SECOND} events a second are sent`,
  pass: 'each event follows the routing of some moment between its request and the birth of its delivery',
  async run(rig, { scaled, say }) {
    const endpoint = await rig.addEndpoint({ name: 'changing', loaded: false });
    const { eventType } = endpoint;
    const subscription = await rig.db.subscription.findFirstOrThrow({ where: { endpointId: endpoint.uuid } });
    const { id, endpointId, eventTypeId } = subscription;
    const changes: Change[] = [{ fromMs: 0, toMs: 0, isSubscribed: true }];
    const seconds = Math.max(2, scaled(SECONDS));
    const untilMs = Date.now() + 1_000 * seconds;
    const sent: { event: SentEvent; fromMs: number; toMs: number }[] = [];
    const toggling = (async () => {
      for (let n = 0; Date.now() < untilMs; n += 1) {
        const change = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY, isSubscribed: n % 2 === 1 };
        changes.push(change);
        // Changes the table directly, because the interface makes fewer changes of a workspace per second.
        if (change.isSubscribed) await rig.db.subscription.create({ data: { id, endpointId, eventTypeId } });
        else await rig.db.subscription.delete({ where: { id } });
        change.toMs = Date.now();
        await rig.elapsed(Math.max(0, change.fromMs + 1_000 / CHANGES_A_SECOND - Date.now()));
        // The number of changes is even, so the last one subscribes.
        if (n % CHANGES_AT_ONCE === CHANGES_AT_ONCE - 1) await rig.elapsed(QUIET_MS);
      }
    })();
    await rig.load.steady(PER_SECOND, seconds, {
      to: [{ eventType, endpoints: [] }],
      onEvent: (event) => void sent.push({ event, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }),
      onAccepted: async (event) => {
        const one = sent.find((candidate) => candidate.event === event);
        if (one !== undefined) one.toMs = Date.now();
      },
    });
    await toggling;
    await rig.drain();
    const bornAtMs = await birthsOf(rig, endpoint);
    let both = 0;
    for (const { event, fromMs, toMs } of sent) {
      const bornAt = bornAtMs.get(event.eventId ?? '');
      const possible = possibleBetween(changes, fromMs, bornAt ?? toMs + FANNED_OUT_WITHIN_MS);
      if (possible.size === 2) both += 1;
      // The oracle finds events that arrived although they must not, and events that did not although they must.
      event.endpoints = (possible.size === 2 ? bornAt !== undefined : possible.has(true)) ? [endpoint.name] : [];
    }
    say(`${changes.length - 1} changes, ${sent.length} events, ${both} of them beside a change`);
    return {
      duplicatesAtMost: 0,
      marks: [
        { what: 'events of one possible routing', value: sent.length - both, atLeast: 1 },
        { what: 'changes', value: changes.length - 1, atLeast: CHANGES_AT_ONCE },
      ],
    } satisfies Outcome;
  },
};

/** When each event's delivery to the endpoint was made. */
async function birthsOf(rig: Rig, endpoint: Endpoint): Promise<Map<string, number>> {
  const rows = await rig.db.$queryRaw<{ event_id: string; at_ms: number }[]>`
    select event_id, min(extract(epoch from at))::float8 * 1000 as at_ms from fault_move
    where endpoint_id = ${endpoint.uuid}::uuid group by event_id`;
  return new Map(rows.map(({ event_id, at_ms }) => [toId('msg', event_id), at_ms]));
}

/** All states of the routing at any moment of the interval. */
function possibleBetween(changes: readonly Change[], fromMs: number, toMs: number): Set<boolean> {
  const possible = new Set<boolean>();
  for (const [n, change] of changes.entries()) {
    // The state may hold from the earliest moment of this change until the latest moment of the next one.
    const endsMs = changes[n + 1]?.toMs ?? Number.POSITIVE_INFINITY;
    if (change.fromMs <= toMs && endsMs >= fromMs) possible.add(change.isSubscribed);
  }
  return possible;
}

const deliveryLocked: Row = {
  name: 'delivery-locked',
  fault: `the table of deliveries is locked for ${LOCKED_SECONDS} s under load`,
  pass: `events that name a type are accepted meanwhile, p99 ≤ ${ANSWERS_P99_MS / 1_000} s, and delivered after`,
  async run(rig, { scaled }) {
    await rig.load.steady(PER_SECOND / 2, 2);
    const before = rig.load.answers.length;
    const seconds = Math.max(2, scaled(LOCKED_SECONDS));
    await whileLocked(rig.databaseUrl, { sql: 'lock table delivery in access exclusive mode', values: [] }, () =>
      rig.load.steady(PER_SECOND / 2, seconds),
    );
    const answers = rig.load.answers.slice(before);
    const times = answers.map(({ afterMs }) => afterMs);
    return {
      // Attempts that are under way lose their leases.
      duplicatesAtMost: (await rig.claims()).length + PER_SECOND,
      marks: [
        { what: 'not accepted', value: answers.filter(({ status }) => status !== 202).length, atMost: 0 },
        { what: 'answer p99', unit: 'ms', value: quantile(times, 0.99), atMost: ANSWERS_P99_MS },
      ],
    } satisfies Outcome;
  },
};

export const atTheDoorRows: readonly Row[] = [routingChanges, deliveryLocked];
