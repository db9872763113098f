import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Burst, burst, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 10;

export const proxy: Scenario = {
  name: 'proxy',
  what: 'events to ten endpoints through EGRESS_PROXY_URL, posted at full rate, compared with a dispatcher without',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  const thread = new Worker(new URL('../proxy-thread.js', import.meta.url));
  try {
    const [port] = (await once(thread, 'message')) as [number];
    const api = await stack.startApi();
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const { ingest } = await oneEndpointEach(managementOf(api, stack), { stack, apis: [api], urls, name: 'hooks' });
    const sides = { direct: {}, through: { EGRESS_PROXY_URL: `http://127.0.0.1:${port}` } };
    const bursts: Record<keyof typeof sides, Burst[]> = { direct: [], through: [] };
    for (const side of ['direct', 'through', 'through', 'direct'] as const) {
      say(side);
      // A dispatcher gets its proxy when it starts, and two dispatchers at once would share the events.
      const dispatcher = await stack.startDispatcher([], sides[side]);
      const options = { ingest, receivers, processes: [api, dispatcher] };
      await burst({ ...options, seconds: WARM_UP_SECONDS });
      bursts[side].push(await burst({ ...options, seconds: seconds / 2 }));
      await dispatcher.end('SIGTERM');
    }
    return answer(together(bursts.direct), together(bursts.through));
  } finally {
    await thread.terminate();
    await receivers.close();
  }
}

type Side = ReturnType<typeof together>;

function answer(direct: Side, through: Side): Outcome {
  const cpu = [...through.cpuPerEvent].map(([name, value]) => ({
    figure: `CPU ${name}, an event through the proxy`,
    ...{ value, unit: 'µs' },
  }));
  return {
    figures: [
      { figure: 'delivered through the proxy', value: through.deliveredPerSecond, unit: '/s' },
      { figure: 'delivered directly', value: direct.deliveredPerSecond, unit: '/s' },
      { figure: 'against direct', value: through.deliveredPerSecond / direct.deliveredPerSecond, unit: '×' },
      { figure: 'accepted but not delivered', value: through.lost, unit: '' },
      { figure: 'connections through the proxy', value: through.connections, unit: '' },
      ...cpu,
    ],
  };
}
