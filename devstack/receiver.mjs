// `npm run receiver`: an HTTPS receiver on this machine that shows each webhook and checks its signature.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['devstack'] });
await import('./dist/receiver/main.js');
