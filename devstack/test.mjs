// `npm test`: the tests with stores of their own. Arguments go to Jest: `npm test -- packages/db`.
import { prepare } from './prepare.mjs';

// Type errors are shown and fail the run, but do not keep the tests from running.
const built = await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack'], keepGoing: true });
if (!built) process.exitCode = 1;
await import('./dist/test.js');
