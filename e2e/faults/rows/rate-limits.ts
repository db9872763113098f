import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { resumedAfter } from './marks.ts';

/** A changed limit takes effect within this time after the response. */
const TAKES_HOLD_WITHIN_MS = 1_000;
const WATCHED_MS = 20_000;

/** Rows in which a limit changes, or a backlog disappears, while deliveries wait for the limit. */
export const rateLimitRows: readonly Row[] = [
  {
    name: 'rate-limit-lowered',
    fault: 'a rate limit is lowered from 20 a second to 1 a minute while 600 deliveries wait',
    pass: 'at most 1 request in the 20 s that begin 1 s after the answer',
    run: lower,
  },
  {
    name: 'rate-limit-raised',
    fault: 'a rate limit is raised from 1 an hour to 1,000 a second while 200 deliveries wait',
    pass: 'the first request ≤ 1 s after the answer, all that waited ≤ 5 s after it',
    run: raise,
  },
  {
    name: 'rate-limit-cancelled',
    fault: 'one bulk operation cancels 200 deliveries that wait for a limit of 1 a second',
    pass: 'a new event is sent ≤ 3 s after the end of the bulk',
    run: cancel,
  },
];

type Limit = { limit: number; periodSeconds: number };

/** Makes an endpoint with a limit, and deliveries that wait for it. */
async function limited(rig: Rig, { rateLimit, waiting }: { rateLimit: Limit; waiting: number }): Promise<Endpoint> {
  const endpoint = await rig.addEndpoint({ name: 'limited', config: { rateLimit }, loaded: false, endsAs: 'any' });
  await rig.load.burst(waiting, { to: to(endpoint) });
  await waitFor(() => arrived(rig).length > 0, { what: 'the first request' });
  return endpoint;
}

function to({ eventType, name }: Endpoint) {
  return [{ eventType, endpoints: [name] }];
}

function arrived(rig: Rig, fromMs = 0): number[] {
  return rig.receivers.receipts
    .filter(({ endpoint, atMs }) => endpoint === 'limited' && atMs >= fromMs)
    .map(({ atMs }) => atMs);
}

async function setLimit(rig: Rig, { id }: Endpoint, rateLimit: Limit): Promise<number> {
  const { status } = await rig.client.call('PATCH', `/endpoints/${id}`, { config: { rateLimit } });
  if (status !== 200) throw new Error(`the change of the limit was answered with ${status}`);
  return Date.now();
}

const FAST = { limit: 1_000, periodSeconds: 1 } as const;

async function lower(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const rateLimit = { limit: 20, periodSeconds: 1 } as const;
  const endpoint = await limited(rig, { rateLimit, waiting: Math.max(150, scaled(600)) });
  const changedAtMs = await setLimit(rig, endpoint, { limit: 1, periodSeconds: 60 });
  await rig.elapsed(TAKES_HOLD_WITHIN_MS + WATCHED_MS);
  const late = arrived(rig, changedAtMs + TAKES_HOLD_WITHIN_MS).length;
  say(`${arrived(rig).length} requests in all, ${late} later than 1 s after the answer`);
  await setLimit(rig, endpoint, FAST);
  await rig.drain();
  return { duplicatesAtMost: 0, marks: [{ what: 'requests > 1 s after', value: late, atMost: 1 }] };
}

async function raise(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const rateLimit = { limit: 1, periodSeconds: 3_600 } as const;
  const endpoint = await limited(rig, { rateLimit, waiting: scaled(200) });
  const changedAtMs = await setLimit(rig, endpoint, FAST);
  await rig.drain();
  const firstMs = resumedAfter(rig, changedAtMs, (receipt) => receipt.endpoint === 'limited');
  const lastMs = Math.max(...arrived(rig, changedAtMs)) - changedAtMs;
  say(`first request ${firstMs} ms after the answer, the last of those that waited ${lastMs} ms`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'first request', unit: 'ms', value: firstMs, atMost: 1_000 },
      { what: 'last that waited', unit: 'ms', value: lastMs, atMost: 5_000 },
    ],
  };
}

async function cancel(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const rateLimit = { limit: 1, periodSeconds: 1 } as const;
  const endpoint = await limited(rig, { rateLimit, waiting: Math.max(30, scaled(200)) });
  const started = await rig.client.call<{ id: string }>('POST', '/deliveries/cancel', {
    filter: { endpointId: endpoint.id, statuses: ['pending', 'scheduled_retry'] },
  });
  const isEnded = async () => {
    const { body } = await rig.client.call<{ status: string }>('GET', `/operations/${started.body.id}`);
    return body.status === 'completed';
  };
  await waitFor(isEnded, { what: 'the end of the bulk', timeoutMs: 60_000 });
  const endedAtMs = Date.now();
  const before = arrived(rig).length;
  await rig.load.burst(1, { to: to(endpoint) });
  await waitFor(() => arrived(rig).length > before, { what: 'the new event', timeoutMs: 60_000 });
  const afterMs = resumedAfter(rig, endedAtMs, (receipt) => receipt.endpoint === 'limited');
  say(`${before} requests until the end of the bulk, the new event ${afterMs} ms after it`);
  return { duplicatesAtMost: 0, marks: [{ what: 'new event', unit: 'ms', value: afterMs, atMost: 3_000 }] };
}
