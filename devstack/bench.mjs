// `npm run bench`: the benchmarks on stores of their own. Arguments go to the benchmarks: `npm run bench -- --list`.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'bench'] });
await import('./dist/bench.js');
