// `npm run capacity -- --events 10000 --fan-out 2`: prints what an installation for that load needs.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['devstack'] });
await import('./dist/capacity.js');
