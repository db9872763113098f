import { describeError } from '@posthorn/runtime/describe-error';
import { publishDemoEventType, runDemo } from './demo.ts';
import { opensLoopback } from './demo-reach.ts';
import type { DemoReceiver } from './demo-receiver.ts';
import type { Run } from './run.ts';
import { green, red, say } from './say.ts';

export type ShowDemoOptions = {
  address: string;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  homeId: string;
  receiver: DemoReceiver;
  run: Run;
};

export type DemoOutcome = { kind: 'arrived' | 'skipped' | 'failed'; words: string };

/**
 * Runs the demo if it can be run, prints the outcome in one line and returns it. A failure of the demo does not fail the
 * start.
 */
export async function showDemo(
  options: ShowDemoOptions,
  circumstances: { dispatchers: number; egressAllowCidrs: string },
): Promise<DemoOutcome> {
  const outcome = await tryDemo(options, circumstances);
  const colour = { arrived: green, failed: red, skipped: (words: string) => `skipped: ${words}` }[outcome.kind];
  say('demo', colour(outcome.words));
  return outcome;
}

async function tryDemo(
  { run, ...rest }: ShowDemoOptions,
  { dispatchers, egressAllowCidrs }: { dispatchers: number; egressAllowCidrs: string },
): Promise<DemoOutcome> {
  const demo = { ...rest, clock: run.clock, signal: run.signal };
  try {
    const eventTypeId = await publishDemoEventType(demo);
    if (dispatchers === 0) return { kind: 'skipped', words: 'with DISPATCHERS=0 nothing is delivered' };
    if (!opensLoopback(egressAllowCidrs)) {
      return { kind: 'skipped', words: `EGRESS_ALLOW_CIDRS=${egressAllowCidrs} does not open 127.0.0.1` };
    }
    const { ok, words } = await runDemo(demo, eventTypeId);
    return { kind: ok ? 'arrived' : 'failed', words };
  } catch (error) {
    run.signal.throwIfAborted();
    return { kind: 'failed', words: `failed: ${describeError(error)}` };
  }
}
