// `npm run dev`: like `npm start`, but services restart when their sources change, and Vite serves the pages.
import { prepare } from './prepare.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments(`usage: npm run dev

As npm start, with its settings. Services start again when their sources change, and Vite serves the pages.
`);
await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack'], webTypes: true });
process.argv.push('--develop');
await import('./dist/start.js');
