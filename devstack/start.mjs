// `npm start`: runs all of Posthorn on this machine.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack'], web: true });
await import('./dist/start.js');
