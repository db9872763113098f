import type { SentEvent } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';

const AHEAD_MS = 4_000;
/** The cancels begin this long before the time of the events. */
const BEFORE_MS = 300;

export const eventCancelledAtOnce: Row = {
  name: 'event-cancelled-at-once',
  fault: '5,000 events are cancelled as soon as each is accepted, and 500 shortly before their time',
  pass: 'no event is sent after the answer that it is cancelled',
  async run(rig, tools) {
    const endpoint = await rig.addEndpoint({
      ...{ name: 'cancelled', loaded: false, endsAs: 'any' },
    });
    const atOnce = await cancelAll(rig, tools, { eventType: endpoint.eventType, count: 5_000 });
    const scheduled = await cancelAll(rig, tools, { eventType: endpoint.eventType, count: 500, aheadMs: AHEAD_MS });
    await rig.drain();
    const answered = [...atOnce, ...scheduled];
    for (const { event } of answered) {
      // An attempt may have ended before the cancel.
      event.endpoints = rig.receivers.receipts.some(({ eventId }) => eventId === event.eventId) ? ['cancelled'] : [];
    }
    const sent = answered.filter(({ event, atMs }) =>
      rig.receivers.receipts.some((receipt) => receipt.eventId === event.eventId && receipt.atMs > atMs),
    ).length;
    tools.say(`${answered.length} answered as cancelled, ${sent} of them sent after that`);
    const marks = [
      { what: 'cancelled', value: answered.length, atLeast: 1 },
      { what: 'sent after that', value: sent, atMost: 0 },
    ];
    return { duplicatesAtMost: 0, marks } satisfies Outcome;
  },
};

type Cancelling = { eventType: string; count: number; aheadMs?: number };

type Answered = { event: SentEvent; atMs: number };

/**
 * Sends the events and cancels each, at once or shortly before its time. Returns the events that were answered as
 * cancelled, with the times of the responses.
 */
async function cancelAll(rig: Rig, { scaled }: Tools, { eventType, count, aheadMs }: Cancelling): Promise<Answered[]> {
  const events: SentEvent[] = [];
  const dueAtMs = Date.now() + (aheadMs ?? 0);
  const cancelled: Answered[] = [];
  const cancel = async (event: SentEvent) => {
    const path = `/events/${event.eventId}/cancel`;
    const { status, body } = await rig.client.call<{ status: string }>('POST', path);
    // An event that could not be cancelled must arrive like any other.
    if (status === 200 && body.status === 'cancelled') cancelled.push({ event, atMs: Date.now() });
    else event.endpoints = ['cancelled'];
  };
  await rig.load.burst(scaled(count), {
    to: [{ eventType, endpoints: [] }],
    ...(aheadMs === undefined
      ? { onAccepted: cancel }
      : { headers: { 'x-deliver-at': new Date(dueAtMs).toISOString() } }),
    onEvent: (event) => void events.push(event),
  });
  if (aheadMs === undefined) return cancelled;
  await rig.elapsed(Math.max(0, dueAtMs - BEFORE_MS - Date.now()));
  await Promise.all(events.map(cancel));
  return cancelled;
}
