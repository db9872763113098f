import { startTokenServer } from '@posthorn/testkit/token-server';
import type { Figure } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import type { Ingest } from '../load.ts';
import { ingestAt, ingestPath, type Management, managementOf, oneEndpointEach, subscribe } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 10;
const CLIENT = { clientId: 'posthorn-bench', secret: 'the secret of the benchmark' };

export const oauth: Scenario = {
  name: 'oauth',
  what: 'events to ten endpoints with OAuth 2, posted at full rate, compared with endpoints without; token requests',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  const server = await startTokenServer({ ...CLIENT, expiresIn: 3_600 });
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const manage = managementOf(api, stack);
    const plain = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'plain' });
    const authorised = await authorisedEndpoints(manage, { stack, api, urls, tokenUrl: server.url });
    const options = { receivers, processes: [api, dispatcher, ...stack.stores] };
    const sides = { none: plain.ingest, oauth: authorised };
    for (const ingest of Object.values(sides)) await burst({ ...options, ingest, seconds: WARM_UP_SECONDS });
    const bursts: Record<keyof typeof sides, Burst[]> = { none: [], oauth: [] };
    for (const side of ['none', 'oauth', 'oauth', 'none'] as const) {
      say(side);
      await burst({ ...options, ingest: sides[side], seconds: LEAD_IN_SECONDS });
      bursts[side].push(await burst({ ...options, ingest: sides[side], seconds: seconds / 2 }));
    }
    // The token requests count from the start, warm-up included. Each endpoint has a token URL of its own.
    return answer(
      together(bursts.none),
      together(bursts.oauth),
      server.requests.map(({ url }) => url),
    );
  } finally {
    await server.close();
    await receivers.close();
  }
}

type Wanted = { stack: Stack; api: ServiceProcess; urls: readonly string[]; tokenUrl: string };

async function authorisedEndpoints(manage: Management, { stack, api, urls, tokenUrl }: Wanted): Promise<Ingest> {
  const paths: string[] = [];
  for (const [index, url] of urls.entries()) {
    const eventType = `bench.oauth_${index}`;
    const oauth2 = { tokenUrl: `${tokenUrl}?endpoint=${index}`, clientId: CLIENT.clientId };
    const endpoint = { url, config: { oauth2 }, credentials: { oauth2ClientSecret: CLIENT.secret } };
    await subscribe(manage, { stack, eventType, endpoints: [endpoint] });
    paths.push(ingestPath(eventType));
  }
  return ingestAt(stack, [api], paths);
}

type Side = ReturnType<typeof together>;

function answer(none: Side, oauth: Side, tokenRequests: readonly string[]): Outcome {
  const ofEach = [...new Set(tokenRequests)].map((url) => tokenRequests.filter((other) => other === url).length);
  return {
    figures: [
      { figure: 'token requests', value: tokenRequests.length, unit: '' },
      { figure: 'token requests, most of an endpoint', value: Math.max(0, ...ofEach), unit: '' },
      { figure: 'delivered with OAuth 2', value: oauth.deliveredPerSecond, unit: '/s' },
      { figure: 'delivered without', value: none.deliveredPerSecond, unit: '/s' },
      { figure: 'against none', value: oauth.deliveredPerSecond / none.deliveredPerSecond, unit: '×' },
      { figure: 'accepted but not delivered', value: oauth.lost, unit: '' },
      ...cpuOf(oauth, 'an event with OAuth 2'),
      ...cpuOf(none, 'an event without'),
    ],
  };
}

function cpuOf({ cpuPerEvent }: Side, event: string): Figure[] {
  return [...cpuPerEvent].map(([name, value]) => ({ figure: `CPU ${name}, ${event}`, value, unit: 'µs' }));
}
