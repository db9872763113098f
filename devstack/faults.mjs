// `npm run faults`: every fault, against stores of their own. Arguments go to the run: `npm run faults -- --list`.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'e2e/faults'] });
await import('./dist/faults.js');
