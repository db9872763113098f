// `npm test`: runs the tests with their own stores. Arguments are passed to Jest: `npm test -- packages/db`.
import { prepare } from './prepare.mjs';

// Type errors are shown and fail the run, but the tests still run.
const built = await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack'], keepGoing: true });
if (!built) process.exitCode = 1;
await import('./dist/test.js');
