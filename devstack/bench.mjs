// `npm run bench`: runs the benchmarks on their own stores. Arguments are passed on: `npm run bench -- --list`.
import { findChromium } from './chromium.mjs';
import { prepare } from './prepare.mjs';

const chromium = findChromium();
if (chromium !== undefined) process.env.TEST_CHROMIUM = chromium;

await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'bench'], web: true });
await import('./dist/bench.js');
