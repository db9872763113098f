import type { Outcome, Scenario } from '../scenario.ts';
import { type Sides, withSides } from '../sides.ts';
import { measureEndToEnd } from './end-to-end.ts';
import { measureLatency } from './latency.ts';

export const oneProcess: Scenario = {
  name: 'one-process',
  what: 'latency and end-to-end with API and dispatcher in one process, which hands events over by a call',
  run(context) {
    const measure = async (sides: Sides): Promise<Outcome> => {
      const [lone, full] = [await measureLatency(context, sides), await measureEndToEnd(context, sides)];
      return { figures: [...lone.figures, ...full.figures], tables: lone.tables ?? [] };
    };
    return withSides(context, { consumers: true, isOneProcess: true }, measure);
  },
};
