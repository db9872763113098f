import { setTimeout as pause } from 'node:timers/promises';
import { insertDeadLetters } from '../backlog.ts';
import { percentile, timeFigures } from '../figures.ts';
import { now, postSteadily } from '../load.ts';
import { type Management, managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import { sampleRedis } from '../sample.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';
import { latencies } from './latency.ts';

/** The number of dead letters. `BENCH_RECOVERED` sets another. */
const DEAD_LETTERS = Number(process.env.BENCH_RECOVERED ?? 1_000_000);
const PROBES_PER_SECOND = 50;
const WARM_UP_SECONDS = 10;
/** How long the pace of a recovery rises. */
const RISE_SECONDS = 10;
const LOOK_MS = 1_000;

export const recovery: Scenario = {
  name: 'recovery',
  what: `${DEAD_LETTERS.toLocaleString('en-US')} dead letters of an endpoint recovered: new events of another endpoint, and Redis memory, meanwhile`,
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

type Operation = { id: string; status: string; matched: number | null; enqueued: number; delivered: number };

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(2, stack.tls);
  try {
    const api = await stack.startApi();
    const manage = managementOf(api, stack);
    const [recovered = '', other = ''] = receivers.origins.map((origin) => `${origin}/hook`);
    const { endpointIds } = await oneEndpointEach(manage, { stack, apis: [api], urls: [recovered], name: 'recovered' });
    const { ingest } = await oneEndpointEach(manage, { stack, apis: [api], urls: [other], name: 'other' });
    const endpointId = endpointIds[0] ?? '';
    say(`inserting ${DEAD_LETTERS.toLocaleString('en-US')} dead letters`);
    await insertDeadLetters(stack, endpointId, DEAD_LETTERS);
    await stack.startDispatcher();
    await postSteadily(ingest, PROBES_PER_SECOND, WARM_UP_SECONDS);

    say('without a recovery');
    const quietMemory = sampleRedis(stack);
    const quiet = await latencies({ ingest }, { receivers, perSecond: PROBES_PER_SECOND, seconds });
    const quietMib = quietMemory.stop();

    const since = new Date(now() - 86_400_000).toISOString();
    const path = `/endpoints/${endpointId}/recover`;
    const countedAt = now();
    await manage('POST', path, { since, mode: 'failed', dryRun: true });
    const dryRunMs = now() - countedAt;
    const memory = sampleRedis(stack);
    const { id } = await manage<Operation>('POST', path, { since, mode: 'failed' });
    await postSteadily(ingest, PROBES_PER_SECOND, RISE_SECONDS);
    say('during the recovery');
    const [before, startedAt] = [await read(manage, id), now()];
    const busy = await latencies({ ingest }, { receivers, perSecond: PROBES_PER_SECOND, seconds });
    const after = await read(manage, id);
    const perSecond = (after.delivered - before.delivered) / ((now() - startedAt) / 1_000);
    say('to its end');
    const end = await untilEnd(manage, id, 2 * seconds);
    const redisMib = memory.stop() - quietMib;
    return answer({ dryRunMs, perSecond, quiet, busy, redisMib, left: DEAD_LETTERS - end.delivered });
  } finally {
    await receivers.close();
  }
}

type Times = Awaited<ReturnType<typeof latencies>>;
type Measured = { dryRunMs: number; perSecond: number; quiet: Times; busy: Times; redisMib: number; left: number };

function answer({ dryRunMs, perSecond, quiet, busy, redisMib, left }: Measured): Outcome {
  const against = percentile(busy.arrived, 99) / percentile(quiet.arrived, 99);
  return {
    figures: [
      { figure: 'dry run', value: dryRunMs, unit: 'ms' },
      { figure: 'recovered', value: perSecond, unit: '/s' },
      ...timeFigures('another endpoint, no recovery', quiet.arrived),
      ...timeFigures('another endpoint, recovery', busy.arrived),
      { figure: 'another endpoint, p99 against none', value: against, unit: '×' },
      { figure: 'not arrived within 2 s', value: busy.missing, unit: '' },
      { figure: 'Redis growth, peak', value: redisMib, unit: 'MiB' },
      { figure: 'left when the measurement ended', value: left, unit: '' },
    ],
  };
}

function read(manage: Management, id: string): Promise<Operation> {
  return manage<Operation>('GET', `/operations/${id}`);
}

/** Waits until the operation has ended, but at most `seconds`. */
async function untilEnd(manage: Management, id: string, seconds: number): Promise<Operation> {
  const until = now() + 1_000 * seconds;
  let operation = await read(manage, id);
  while (operation.status !== 'completed' && now() < until) {
    await pause(LOOK_MS);
    operation = await read(manage, id);
  }
  return operation;
}
