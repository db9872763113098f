import type { SentEvent } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';

const AHEAD_MS = 4_000;
/** The cancels begin so long before the time of the events. */
const BEFORE_MS = 300;

export const eventCancelledAtOnce: Row = {
  name: 'event-cancelled-at-once',
  fault:
    '100 events with one endpoint that fails are cancelled as soon as they are accepted, and 200 shortly before their time',
  pass: 'no event that was answered as cancelled is sent',
  failsToday:
    'a cancel stops an attempt without a row first, and ends the waiting in another transaction: a scheduled event whose time comes between the two is sent',
  async run(rig, tools) {
    const endpoint = await rig.addEndpoint({
      ...{ name: 'cancelled', loaded: false, endsAs: 'any', config: { retrySchedule: [1, 1] } },
      behaviour: () => ({ status: 500 }),
    });
    const atOnce = await cancelAll(rig, tools, { eventType: endpoint.eventType, count: 100 });
    const scheduled = await cancelAll(rig, tools, { eventType: endpoint.eventType, count: 200, aheadMs: AHEAD_MS });
    await rig.drain();
    const cancelled = new Set([...atOnce, ...scheduled]);
    const sent = rig.receivers.receipts.filter(({ eventId }) => cancelled.has(eventId)).length;
    tools.say(`${cancelled.size} of 300 answered as cancelled, ${sent} requests of them`);
    const marks = [
      { what: 'cancelled', value: cancelled.size, atLeast: 1 },
      { what: 'requests of cancelled events', value: sent, atMost: 0 },
    ];
    return { duplicatesAtMost: 0, marks } satisfies Outcome;
  },
};

type Cancelling = { eventType: string; count: number; aheadMs?: number };

/** Sends the events and cancels each. Returns the ids of those that were answered as cancelled. */
async function cancelAll(rig: Rig, { scaled }: Tools, { eventType, count, aheadMs }: Cancelling): Promise<string[]> {
  const events: SentEvent[] = [];
  const atMs = Date.now() + (aheadMs ?? 0);
  const cancelled: string[] = [];
  const cancel = async (event: SentEvent) => {
    const path = `/events/${event.eventId}/cancel`;
    const { status, body } = await rig.client.call<{ status: string }>('POST', path);
    // An event that could not be cancelled must arrive as any other.
    if (status === 200 && body.status === 'cancelled') cancelled.push(String(event.eventId));
    else event.endpoints = ['cancelled'];
  };
  await rig.load.burst(scaled(count), {
    to: [{ eventType, endpoints: [] }],
    headers: aheadMs === undefined ? {} : { 'x-deliver-at': new Date(atMs).toISOString() },
    onEvent: (event) => void events.push(event),
  });
  if (aheadMs !== undefined) await rig.elapsed(Math.max(0, atMs - BEFORE_MS - Date.now()));
  await Promise.all(events.map(cancel));
  return cancelled;
}
