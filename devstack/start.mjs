// `npm start`: runs all of Posthorn on this machine.
import { checkPort } from './check-port.mjs';
import { prepare } from './prepare.mjs';

await checkPort(process.env);
await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack'], web: true });
await import('./dist/start.js');
