import type { Figure } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 10;
const CODE = 'function transform(event) { return { data: event.data }; }';

export const transformation: Scenario = {
  name: 'transformation',
  what: 'events to ten endpoints with an identity transformation, posted at full rate, compared with endpoints without',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const common = { stack, apis: [api], urls };
    const manage = managementOf(api, stack);
    const plain = await oneEndpointEach(manage, { ...common, name: 'plain' });
    const config = { transformation: { language: 'javascript', code: CODE } };
    const transformed = await oneEndpointEach(manage, { ...common, name: 'transformed', config });
    const options = { receivers, processes: [api, dispatcher, ...stack.stores] };
    const sides = { none: plain.ingest, identity: transformed.ingest };
    for (const ingest of Object.values(sides)) await burst({ ...options, ingest, seconds: WARM_UP_SECONDS });
    const bursts: Record<keyof typeof sides, Burst[]> = { none: [], identity: [] };
    for (const side of ['none', 'identity', 'identity', 'none'] as const) {
      say(side);
      await burst({ ...options, ingest: sides[side], seconds: LEAD_IN_SECONDS });
      bursts[side].push(await burst({ ...options, ingest: sides[side], seconds: seconds / 2 }));
    }
    return answer(together(bursts.none), together(bursts.identity));
  } finally {
    await receivers.close();
  }
}

type Side = ReturnType<typeof together>;

function answer(none: Side, identity: Side): Outcome {
  const bars = [
    { name: 'transformed', value: identity.deliveredPerSecond },
    { name: 'as they are', value: none.deliveredPerSecond, faint: true },
  ];
  return {
    figures: [
      { figure: 'delivered, transformed', value: identity.deliveredPerSecond, unit: '/s' },
      { figure: 'delivered without', value: none.deliveredPerSecond, unit: '/s' },
      { figure: 'against none', value: identity.deliveredPerSecond / none.deliveredPerSecond, unit: '×' },
      { figure: 'accepted but not delivered', value: identity.lost, unit: '' },
      ...cpuOf(identity, 'a transformed event'),
      ...cpuOf(none, 'an event without'),
    ],
    plot: { kind: 'bars', title: 'Deliveries per second, with and without a transformation', unit: '/s', bars },
  };
}

function cpuOf({ cpuPerEvent }: Side, event: string): Figure[] {
  return [...cpuPerEvent].map(([name, value]) => ({ figure: `CPU ${name}, ${event}`, value, unit: 'µs' }));
}
