import { Posthorn } from '@posthorn/client';
import { percentile } from '../figures.ts';
import { WARM_UP_SECONDS } from '../flat-out.ts';
import type { Ingest } from '../load.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Sides, withSides } from '../sides.ts';

const IN_FLIGHT = 64;
const PAIRS = 7;

export const clients: Scenario = {
  name: 'clients',
  what: 'events sent per second from one process with 64 in flight: the TypeScript library beside bare fetch',
  run: (context) => withSides(context, { consumers: false }, (sides) => measure(context, sides)),
};

type Send = () => Promise<unknown>;

async function measure({ seconds, say }: Context, { posthorn }: Sides): Promise<Outcome> {
  const senders = { library: librarySender(posthorn.ingest), fetch: fetchSender(posthorn.ingest) };
  for (const send of Object.values(senders)) await ratePerSecond(send, WARM_UP_SECONDS);
  const rates: { library: number; fetch: number }[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    say(`pair ${pair} of ${PAIRS}`);
    // In turn first, so that neither gains from its place.
    const order = pair % 2 === 0 ? (['library', 'fetch'] as const) : (['fetch', 'library'] as const);
    const measured = { library: 0, fetch: 0 };
    for (const name of order) measured[name] = await ratePerSecond(senders[name], seconds / PAIRS);
    rates.push(measured);
  }
  const median = (of: (pair: { library: number; fetch: number }) => number) => percentile(rates.map(of), 50);
  return {
    figures: [
      { figure: 'TypeScript library', value: median((pair) => pair.library), unit: '/s' },
      { figure: 'bare fetch', value: median((pair) => pair.fetch), unit: '/s' },
      {
        figure: 'TypeScript library against bare fetch',
        value: median((pair) => pair.library / pair.fetch),
        unit: '×',
      },
    ],
  };
}

/** Both send the same event: its type, its payload and a key of its own. */
function librarySender({ baseUrls, paths, headers, body }: Ingest): Send {
  const [baseUrl = ''] = baseUrls;
  const apiKey = headers.authorization?.replace('Bearer ', '') ?? '';
  const eventType = decodeURIComponent(paths[0]?.split('/').at(-1) ?? '');
  const posthorn = new Posthorn({ baseUrl, apiKey, retries: 0 });
  const payload: unknown = JSON.parse(body);
  return () => posthorn.events.send(eventType, payload);
}

function fetchSender({ baseUrls, paths, headers, body }: Ingest): Send {
  const url = `${baseUrls[0]}${paths[0]}`;
  const payload: unknown = JSON.parse(body);
  return async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(payload),
    });
    if (!response.ok) throw new Error(`refused: ${await response.text()}`);
    return response.json();
  };
}

async function ratePerSecond(send: Send, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + 1_000 * seconds;
  let sent = 0;
  const sendOn = async () => {
    while (performance.now() < end) {
      await send();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendOn));
  return (1_000 * sent) / (performance.now() - startedAt);
}
