// `npm run bench`: the benchmarks against a stack of their own. Arguments go to the benchmark.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'bench'] });
await import('./dist/bench.js');
