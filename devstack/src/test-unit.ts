import { checkTypes } from './check-types.ts';
import { projectRoot } from './project-root.ts';
import { runToEnd } from './run.ts';
import { runTests, TIERS } from './run-tests.ts';

const INTERRUPTED = 130;

const given = process.argv.slice(2);
const watches = given.some((argument) => argument.startsWith('--watch'));

process.exit(
  await runToEnd(async (run) => {
    const env = { ...process.env, TEST_TIER: 'unit' };
    const tests = runTests(run, { root: projectRoot, args: [TIERS, ...given], env });
    // With `--watch`, an editor checks the types.
    if (watches) return await tests;
    const [code, typesAreRight] = await Promise.all([tests, checkTypes(run, [])]);
    return code === 0 && !typesAreRight ? 1 : code;
  }, INTERRUPTED),
);
