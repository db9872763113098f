import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';

const ENDPOINTS = 100;
const AT_A_TIME = 10;
/** More events than so slow an endpoint can answer before it is stopped. */
const EVENTS_EACH = 60;
const ANSWERS_AFTER_MS = 400;
const STARTS_AT_MOST_AFTER_MS = 1_000;
/** An event that was accepted this shortly before the stop may be fanned out after it. */
const FANNED_OUT_WITHIN_MS = 3_000;

export const stoppedRow: Row = {
  name: 'endpoint-stopped',
  fault: 'an endpoint is deactivated or deleted while deliveries wait, 100 times',
  pass: 'requests that start more than 1 s after the answer 0',
  rig: { endpoints: 3 },
  run: stopThem,
};

type Stopped = { name: string; uuid: string; askedAtMs: number; answeredAtMs: number };

async function stopThem(rig: Rig, { random, scaled, say }: Tools) {
  const wanted = scaled(ENDPOINTS);
  const stopped: Stopped[] = [];
  while (stopped.length < wanted) {
    const endpoints: Endpoint[] = [];
    while (endpoints.length < Math.min(AT_A_TIME, wanted - stopped.length)) {
      endpoints.push(await addBusy(rig, stopped.length + endpoints.length));
    }
    const to = endpoints.map(({ name, eventType }) => ({ eventType, endpoints: [name] }));
    const load = rig.load.burst(EVENTS_EACH * endpoints.length, { to });
    const stops = endpoints.map(async (endpoint) => {
      await waitFor(() => rig.receivers.receipts.some((one) => one.endpoint === endpoint.name), {
        what: 'its first request',
      });
      await rig.elapsed(random.whole(0, 2_000));
      return stop(rig, endpoint);
    });
    stopped.push(...(await Promise.all(stops)));
    await load;
    say(`${stopped.length} stopped`);
  }
  await rig.drain();
  const neverMade = await forgetUnmatched(rig, stopped);
  const starts = stopped.map(({ name, answeredAtMs }) =>
    Math.max(
      Number.NEGATIVE_INFINITY,
      ...rig.receivers.receipts.filter((one) => one.endpoint === name).map((one) => one.atMs - answeredAtMs),
    ),
  );
  const late = starts.filter((ms) => ms > STARTS_AT_MOST_AFTER_MS);
  const withheld = await rig.db.delivery.count({
    where: { failureReason: { in: ['endpoint_inactive', 'endpoint_deleted'] } },
  });
  return {
    duplicatesAtMost: 0,
    retriesLateAtMostMs: 60_000,
    marks: [
      { what: 'stopped', value: stopped.length },
      { what: 'endpoints with a start > 1 s after', value: late.length, atMost: 0 },
      { what: 'latest start', unit: 'ms' as const, value: Math.max(...starts) },
      { what: 'deliveries withheld', value: withheld, atLeast: stopped.length },
      { what: 'fanned out after the stop', value: neverMade },
    ],
  };
}

function addBusy(rig: Rig, n: number): Promise<Endpoint> {
  return rig.addEndpoint({
    name: `busy-${n}`,
    loaded: false,
    endsAs: 'any',
    // Every third endpoint fails, so that its deliveries wait for retries.
    behaviour: () => ({ delayMs: ANSWERS_AFTER_MS, status: n % 3 === 2 ? 500 : 200 }),
  });
}

async function stop(rig: Rig, { name, id, uuid }: Endpoint): Promise<Stopped> {
  const isDeleted = Number(name.split('-')[1]) % 2 === 0;
  const askedAtMs = Date.now();
  const reply = isDeleted
    ? await rig.client.call('DELETE', `/endpoints/${id}`)
    : await rig.client.call('PATCH', `/endpoints/${id}`, { isActive: false });
  if (reply.status >= 300) throw new Error(`${name} could not be stopped: ${JSON.stringify(reply.body)}`);
  return { name, uuid, askedAtMs, answeredAtMs: Date.now() };
}

/**
 * Removes the expectation of events that were fanned out after the stop, which have no delivery. Returns their number.
 */
async function forgetUnmatched(rig: Rig, stopped: readonly Stopped[]): Promise<number> {
  let forgotten = 0;
  const { sent } = rig.load;
  for (const { name, uuid, askedAtMs } of stopped) {
    const rows = await rig.db.delivery.findMany({ where: { endpointId: uuid }, select: { eventId: true } });
    const made = new Set(rows.map(({ eventId }) => toId('msg', eventId)));
    for (const event of sent) {
      const isLate = (event.acceptedAtMs ?? 0) > askedAtMs - FANNED_OUT_WITHIN_MS;
      if (!event.endpoints.includes(name) || !isLate || made.has(event.eventId ?? '')) continue;
      event.endpoints = [];
      forgotten += 1;
    }
  }
  return forgotten;
}
