// `npm run faults`: runs every fault against its own stores. Arguments are passed on: `npm run faults -- --list`.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'e2e/faults'] });
await import('./dist/faults.js');
