// `npm run demo`: fills the running instance with a workspace in which something happens.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['devstack'] });
await import('./dist/showcase/main.js');
