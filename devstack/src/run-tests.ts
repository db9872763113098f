import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { cpuOfProcesses } from './cpu-of-processes.ts';
import { type JestProject, runJest } from './jest.ts';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import {
  type FileResult,
  type FlakyTest,
  failedFiles,
  failuresOf,
  type JestReport,
  MOST_FLAKY,
  slowestFiles,
  withSecondRun,
} from './test-results.ts';

const SLOWEST_SHOWN = 20;

/** Jest's option that runs only the files of the tier that TEST_TIER names. */
export const TIERS = `--filter=${join(projectRoot, 'devstack/jest/tiers.cjs')}`;

/**
 * Runs Jest, then each file that failed once more, alone, and returns the exit code: 0 when each file passed in one of
 * its runs and at most five tests were flaky. Writes into `.test-results`, or the folder that TEST_RESULTS names:
 * `jest.json`, Jest's report with the second runs instead of the first ones, and
 * `flaky.json`, the tests that failed in the first run and not in the second one.
 * Prints the slowest files, the CPU time of the run's own processes, a line `FLAKY file › test` for each flaky test, and the sum.
 */
export async function runTests(run: Run, project: JestProject): Promise<number> {
  const results = resultsOf(project);
  mkdirSync(results, { recursive: true });
  const [reportFile, flakyFile] = [join(results, 'jest.json'), join(results, 'flaky.json')];
  for (const old of [reportFile, flakyFile]) rmSync(old, { force: true });

  const before = cpuOfProcesses();
  const begunMs = run.clock.monotonicMs();
  const code = await runJest(run, project, reportFile);
  const report = readReport(reportFile);
  // A watching Jest and one that only lists have no report; an interrupted one is not repeated.
  if (report === undefined || run.signal.aborted) return code;
  const failed = failedFiles(report);
  const outcome = await repeatFailed(run, project, report);
  if (failed.length > 0) writeFileSync(reportFile, JSON.stringify(outcome.report));
  writeFileSync(flakyFile, `${JSON.stringify(outcome.flaky, null, 2)}\n`);
  const used = { seconds: (run.clock.monotonicMs() - begunMs) / 1_000, cpuSeconds: cpuOfProcesses() - before };
  print(outcome, project.root, used);
  // A failure without a failed file, such as a threshold of coverage, does not pass by a repetition.
  if (failed.length === 0) return code;
  return outcome.report.success && outcome.flaky.length <= MOST_FLAKY ? 0 : 1;
}

type Outcome = { report: JestReport; flaky: FlakyTest[] };

/** Runs the failed files again, one after another. With more than `MOST_FLAKY` of them the run fails in any case. */
async function repeatFailed(run: Run, project: JestProject, first: JestReport): Promise<Outcome> {
  const outcome: Outcome = { report: first, flaky: [] };
  const failed = failedFiles(first);
  if (failed.length > MOST_FLAKY) return outcome;
  for (const file of failed) {
    if (run.signal.aborted) break;
    const path = relative(project.root, file.name);
    say('tests', `${path} failed; it runs once more, alone …`);
    const second = await runAlone(run, project, file);
    if (second === undefined) continue;
    outcome.report = withSecondRun(outcome.report, second);
    if (second.status === 'passed') outcome.flaky.push(...failuresOf(file, path));
  }
  return outcome;
}

/** The result of the file's second run; undefined if Jest could not report one. */
async function runAlone(run: Run, project: JestProject, { name }: FileResult): Promise<FileResult | undefined> {
  const report = join(resultsOf(project), 'again.json');
  rmSync(report, { force: true });
  // The given patterns match this file too, and options such as -t keep their meaning.
  await runJest(run, { ...project, args: [...project.args, `--testMatch=${name}`, '--maxWorkers=1'] }, report);
  const results = readReport(report)?.testResults;
  rmSync(report, { force: true });
  return results?.find((result) => result.name === name);
}

function resultsOf({ root, env }: JestProject): string {
  return resolve(root, env.TEST_RESULTS || '.test-results');
}

function readReport(file: string): JestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // Jest was ended before it wrote it.
  }
}

function print({ report, flaky }: Outcome, root: string, used: { seconds: number; cpuSeconds: number }): void {
  const slowest = slowestFiles(report, SLOWEST_SHOWN);
  const lines: string[] = [];
  if (slowest.length > 1) {
    lines.push('', 'The slowest files:');
    for (const { name, seconds } of slowest) lines.push(`${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`);
    const minutes = (seconds: number) => (seconds / 60).toFixed(1);
    // Compare it before and after a change: it is the same on a busy machine.
    lines.push(
      `Took ${minutes(used.seconds)} min, and ${minutes(used.cpuSeconds)} min of CPU in the processes of the run.`,
    );
  }
  for (const { file, test } of flaky) lines.push(`FLAKY ${file} › ${test}`);
  if (flaky.length > MOST_FLAKY) lines.push(`More than ${MOST_FLAKY} flaky tests fail the run.`);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const pending = report.numPendingTests + report.numTodoTests;
  lines.push(`${report.numPassedTests} passed, ${failed} failed, ${pending} skipped, ${flaky.length} flaky`);
  process.stderr.write(`${lines.join('\n')}\n`);
}
