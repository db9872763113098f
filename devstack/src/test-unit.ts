import { join } from 'node:path';
import { checkTypes } from './check-types.ts';
import { projectRoot } from './project-root.ts';
import { runToEnd } from './run.ts';
import { runTests } from './run-tests.ts';

const INTERRUPTED = 130;

const given = process.argv.slice(2);
const watches = given.some((argument) => argument.startsWith('--watch'));
const filter = `--filter=${join(projectRoot, 'devstack/jest/unit-files.cjs')}`;

process.exit(
  await runToEnd(async (run) => {
    const tests = runTests(run, { root: projectRoot, args: [filter, ...given], env: process.env });
    // Who watches has an editor that checks the types.
    if (watches) return await tests;
    const [code, typesAreRight] = await Promise.all([tests, checkTypes(run, [])]);
    return code === 0 && !typesAreRight ? 1 : code;
  }, INTERRUPTED),
);
