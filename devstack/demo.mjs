// `npm run demo`: fills the running instance with a workspace that has activity.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['devstack'] });
await import('./dist/showcase/main.js');
