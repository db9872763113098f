// `npm run bench`: runs the benchmarks on their own stores. Arguments are passed on: `npm run bench -- --list`.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'bench'] });
await import('./dist/bench.js');
