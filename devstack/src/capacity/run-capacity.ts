import { readCosts } from './costs.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { planCapacity } from './plan.ts';
import { reportOf } from './report.ts';

export type Terminal = {
  /** The text of docs/benchmarks/run.json. */
  readRun: () => string;
  write: (text: string) => void;
  writeError: (text: string) => void;
};

const EXIT_USAGE = 2;

/** `npm run capacity`: prints what an installation needs for a load. Returns the exit code: 2 for wrong options. */
export function runCapacity(args: readonly string[], { readRun, write, writeError }: Terminal): number {
  if (args.includes('--help') || args.includes('-h')) {
    write(usage());
    return 0;
  }
  try {
    const { json, ...load } = readOptions(args);
    const costs = readCosts(readRun());
    const plan = planCapacity(load, costs);
    write(json ? `${JSON.stringify({ load, costs, plan }, null, 2)}\n` : reportOf(load, costs, plan));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeError(`capacity: ${error.message}\n\n${usage()}`);
    return EXIT_USAGE;
  }
}
