import { whileLocked } from '@posthorn/testkit/row-lock';
import { quantile, type SentEvent } from '../oracle.ts';
import type { Outcome, Row } from '../row.ts';

const CHANGES_A_SECOND = 5;
/** An event that is accepted beside a change is matched by its fan-out, a moment after its answer. */
const FANNED_OUT_WITHIN_MS = 100;
const SECONDS = 20;
const PER_SECOND = 100;
const LOCKED_SECONDS = 5;
const ANSWERS_P99_MS = 1_000;

/** An interval in which a change may have taken effect, and whether the endpoint is subscribed after it. */
type Change = { fromMs: number; toMs: number; isSubscribed: boolean };

const routingChanges: Row = {
  name: 'routing-changes-while-accepting',
  fault: `an endpoint is subscribed and unsubscribed ${CHANGES_A_SECOND} times a second for ${SECONDS} s, while ${PER_SECOND} events a second are sent`,
  pass: `each event follows the routing of some moment between its request and ${FANNED_OUT_WITHIN_MS} ms after its answer`,
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
        // In the table, because the interface makes fewer changes of a workspace a second.
        if (change.isSubscribed) await rig.db.subscription.create({ data: { id, endpointId, eventTypeId } });
        else await rig.db.subscription.delete({ where: { id } });
        change.toMs = Date.now();
        await rig.elapsed(Math.max(0, change.fromMs + 1_000 / CHANGES_A_SECOND - Date.now()));
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
    const received = new Set(
      rig.receivers.receipts.flatMap((receipt) => (receipt.endpoint === endpoint.name ? [receipt.eventId] : [])),
    );
    let both = 0;
    for (const { event, fromMs, toMs } of sent) {
      const possible = possibleBetween(changes, fromMs, toMs + FANNED_OUT_WITHIN_MS);
      if (possible.size === 2) both += 1;
      const isReceived = event.eventId !== undefined && received.has(event.eventId);
      // The oracle finds an event that came although it must not, or did not come although it must.
      event.endpoints = (possible.size === 2 ? isReceived : possible.has(true)) ? [endpoint.name] : [];
    }
    say(`${changes.length - 1} changes, ${sent.length} events, ${both} of them beside a change`);
    return {
      duplicatesAtMost: 0,
      marks: [
        { what: 'events of one possible routing', value: sent.length - both, atLeast: sent.length / 4 },
        { what: 'changes', value: changes.length - 1, atLeast: seconds * 2 },
      ],
    } satisfies Outcome;
  },
};

/** The states in which the routing may have been at some moment of the interval. */
function possibleBetween(changes: readonly Change[], fromMs: number, toMs: number): Set<boolean> {
  const possible = new Set<boolean>();
  for (const [n, change] of changes.entries()) {
    // From the earliest moment at which it may have taken effect, to the latest at which the next one has not.
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
      // Attempts that were under way lose their leases.
      duplicatesAtMost: (await rig.claims()).length + PER_SECOND,
      marks: [
        { what: 'not accepted', value: answers.filter(({ status }) => status !== 202).length, atMost: 0 },
        { what: 'answer p99', unit: 'ms', value: quantile(times, 0.99), atMost: ANSWERS_P99_MS },
      ],
    } satisfies Outcome;
  },
};

export const atTheDoorRows: readonly Row[] = [routingChanges, deliveryLocked];
