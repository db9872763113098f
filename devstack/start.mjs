// `npm start`: runs all of Posthorn on this machine.
import { checkPort } from './check-port.mjs';
import { prepare } from './prepare.mjs';

await checkPort(process.env);
// The library is for the programs of README.md.
await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'sdks/typescript'], web: true });
await import('./dist/start.js');
