import { type Figure, percentile } from '../figures.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const STARTS = 5;

export const coldStart: Scenario = {
  name: 'cold-start',
  what: 'from the spawn of a process until /readyz answers 200, the median of five',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ say }: Context, stack: Stack): Promise<Outcome> {
  const figures: Figure[] = [];
  for (const [name, start] of [
    ['api', stack.startApi],
    ['dispatcher', stack.startDispatcher],
  ] as const) {
    say(name);
    const took: number[] = [];
    while (took.length < STARTS) {
      const service = await start();
      took.push(service.readyAfterMs);
      await service.end('SIGKILL');
    }
    figures.push({ figure: `${name} ready`, value: percentile(took, 50), unit: 'ms' });
  }
  const bars = figures.map(({ figure, value }) => ({ name: figure, value }));
  return { figures, plot: { kind: 'bars', title: 'From the spawn until ready, median of five', unit: 'ms', bars } };
}
