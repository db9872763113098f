// `npm test` runs the fast tests with their own stores. `npm run test:system` (`--system`) runs the tests that start
// programs: see devstack/jest/tiers.cjs. Arguments are passed to Jest. A path runs the tests that it names, of either
// tier: `npm test -- packages/db`.
import { countTests, findChromium } from './chromium.mjs';
import { prepare } from './prepare.mjs';

const system = process.argv.indexOf('--system');
if (system > 0) process.argv.splice(system, 1);
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
if (paths.length === 0) process.env.TEST_TIER = system > 0 ? 'system' : 'fast';
const browserTests = new URL('../e2e/browser/', import.meta.url);
const runsBrowserTests = paths.length === 0 || paths.some((path) => path.includes('e2e'));
const chromium = findChromium();
if (chromium !== undefined) process.env.TEST_CHROMIUM = chromium;
else if (runsBrowserTests) {
  const count = paths.length > 0 || system > 0 ? `${countTests(browserTests)} ` : '';
  process.stderr.write(
    `posthorn  no Chromium found: ${count}browser tests are skipped (CHROMIUM_PATH=/path/to/chromium npm test runs them)\n`,
  );
}

// Type errors are shown and fail the run, but the tests still run.
const built = await prepare({
  projects: ['services/api', 'services/dispatcher', 'devstack', 'sdks/react'],
  keepGoing: true,
  web: runsBrowserTests && chromium !== undefined,
  webTypes: true,
});
if (!built) process.exitCode = 1;
await import('./dist/test.js');
