import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../figures.ts';
import { burst, delivered, WARM_UP_SECONDS } from '../flat-out.ts';
import { type Ingest, now, postOnce } from '../load.ts';
import { ingestAt, ingestPath, managementOf, oneEndpointEach, subscribeAll } from '../management.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 1_000;
/** The number of events posted ahead, so that the dispatcher never waits for the next event. */
const EVENTS_AHEAD = 4;

export const fanOut: Scenario = {
  name: 'fan-out',
  what: 'one event to 1,000 endpoints: deliveries per second, compared with events to one endpoint each',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(11, stack.tls);
  try {
    const [wide, ...narrow] = receivers.origins;
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const manage = managementOf(api, stack);
    const urls = narrow.map((origin) => `${origin}/hook`);
    const one = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'healthy' });
    say(`making ${ENDPOINTS} endpoints`);
    const paths = Array.from({ length: ENDPOINTS }, (_, index) => `${wide}/${index}`);
    await subscribeAll(manage, { stack, eventType: 'bench.wide', urls: paths });
    const toAll = ingestAt(stack, [api], [ingestPath('bench.wide')]);

    const processes = [api, dispatcher, ...stack.stores];
    await burst({ ingest: one.ingest, receivers, seconds: WARM_UP_SECONDS, processes });
    await spread(toAll, receivers, WARM_UP_SECONDS);
    say('1 → 1');
    const narrowBurst = await burst({ ingest: one.ingest, receivers, seconds: seconds / 2, processes });
    say(`1 → ${ENDPOINTS}`);
    const wideRate = await spread(toAll, receivers, seconds);
    const singles = await singleEvents(toAll, receivers);
    return answer(narrowBurst.delivered / narrowBurst.seconds, wideRate, singles);
  } finally {
    await receivers.close();
  }
}

function answer(narrowRate: number, wideRate: number, singles: readonly number[]): Outcome {
  const bars = [
    { name: '1 → 1,000', value: wideRate },
    { name: '1 → 1', value: narrowRate, faint: true },
  ];
  return {
    figures: [
      { figure: 'deliveries 1 → 1,000', value: wideRate, unit: '/s' },
      { figure: 'deliveries 1 → 1', value: narrowRate, unit: '/s' },
      { figure: 'against 1 → 1', value: wideRate / narrowRate, unit: '×' },
      { figure: 'one event at all 1,000, median', value: percentile(singles, 50), unit: 'ms' },
    ],
    plot: { kind: 'bars', title: 'Deliveries per second, by the number of endpoints of an event', unit: '/s', bars },
  };
}

/** Keeps some events posted ahead for `seconds`, and returns the deliveries per second until the last arrival. */
async function spread(ingest: Ingest, receivers: Receivers, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const [startedAt, before] = [now(), receivers.count()];
  let posted = 0;
  while (now() - startedAt < seconds * 1_000) {
    if (posted * ENDPOINTS - (receivers.count() - before) < EVENTS_AHEAD * ENDPOINTS) {
      await postOnce(ingest, agent);
      posted += 1;
    } else {
      await pause(5);
    }
  }
  const lastAt = await delivered(receivers, before + posted * ENDPOINTS);
  agent.destroy();
  return (receivers.count() - before) / ((lastAt - startedAt) / 1_000);
}

/** The times from the post of a single event to its last receipt, in milliseconds. */
async function singleEvents(ingest: Ingest, receivers: Receivers): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  while (took.length < 5) {
    const [startedAt, before] = [now(), receivers.count()];
    await postOnce(ingest, agent);
    took.push((await delivered(receivers, before + ENDPOINTS)) - startedAt);
  }
  agent.destroy();
  return took;
}
