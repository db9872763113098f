import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 10;
const KEYS = 1_000;

export const fifo: Scenario = {
  name: 'fifo',
  what: 'events with 1,000 ordering keys to ten fifo endpoints, posted at full rate, compared with events without order',
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
    const config = { ordering: 'fifo' };
    const ordered = await oneEndpointEach(manage, { ...common, name: 'fifo', config });
    const orderingKeys = Array.from({ length: KEYS }, (_, index) => `key-${index}`);
    const options = { receivers, processes: [api, dispatcher, ...stack.stores] };
    const sides = { none: plain.ingest, fifo: { ...ordered.ingest, orderingKeys } };
    for (const ingest of Object.values(sides)) await burst({ ...options, ingest, seconds: WARM_UP_SECONDS });
    const bursts: Record<keyof typeof sides, Burst[]> = { none: [], fifo: [] };
    for (const side of ['none', 'fifo', 'fifo', 'none'] as const) {
      say(side);
      await burst({ ...options, ingest: sides[side], seconds: LEAD_IN_SECONDS });
      bursts[side].push(await burst({ ...options, ingest: sides[side], seconds: seconds / 2 }));
    }
    return answer(together(bursts.none), together(bursts.fifo));
  } finally {
    await receivers.close();
  }
}

function answer(none: ReturnType<typeof together>, ordered: ReturnType<typeof together>): Outcome {
  const bars = [
    { name: `${KEYS} keys in order`, value: ordered.deliveredPerSecond },
    { name: 'without order', value: none.deliveredPerSecond, faint: true },
  ];
  return {
    figures: [
      { figure: 'delivered in order', value: ordered.deliveredPerSecond, unit: '/s' },
      { figure: 'delivered without order', value: none.deliveredPerSecond, unit: '/s' },
      { figure: 'against no order', value: ordered.deliveredPerSecond / none.deliveredPerSecond, unit: '×' },
      { figure: 'accepted but not delivered', value: ordered.lost, unit: '' },
      ...[...ordered.cpuPerEvent.keys()].map((name) => ({
        figure: `CPU ${name}, an event in order`,
        value: ordered.cpuPerEvent.get(name) ?? Number.NaN,
        unit: 'µs',
      })),
    ],
    plot: { kind: 'bars', title: 'Deliveries per second, with and without order', unit: '/s', bars },
  };
}
