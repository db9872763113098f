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

/**
 * Runs the demo if it can be run, and prints the outcome in one line. A failure of the demo does not fail the start.
 */
export async function showDemo(
  options: ShowDemoOptions,
  circumstances: { dispatchers: number; egressAllowCidrs: string },
): Promise<void> {
  const { run, ...rest } = options;
  const demo = { ...rest, clock: run.clock, signal: run.signal };
  try {
    const eventTypeId = await publishDemoEventType(demo);
    if (circumstances.dispatchers === 0) {
      say('demo', 'skipped: with DISPATCHERS=0 nothing is delivered');
    } else if (!opensLoopback(circumstances.egressAllowCidrs)) {
      say('demo', `skipped: EGRESS_ALLOW_CIDRS=${circumstances.egressAllowCidrs} does not open 127.0.0.1`);
    } else {
      const { ok, words } = await runDemo(demo, eventTypeId);
      say('demo', ok ? green(words) : red(words));
    }
  } catch (error) {
    run.signal.throwIfAborted();
    say('demo', red(`failed: ${error instanceof Error ? error.message : error}`));
  }
}
