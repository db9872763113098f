/** The part of Jest's report (`--json`) that is read here. */
export type JestReport = {
  numFailedTestSuites: number;
  numFailedTests: number;
  numPassedTestSuites: number;
  numPassedTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  numTodoTests: number;
  numTotalTests: number;
  success: boolean;
  testResults: FileResult[];
};

export type FileResult = {
  /** The absolute path. */
  name: string;
  status: string;
  /** Why the file could not be run, when it has no tests. */
  message: string;
  startTime: number;
  endTime: number;
  assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages?: string[] | null }[];
};

/** A test that failed, and passed when its file was run again, alone. */
export type FlakyTest = { file: string; test: string; message: string };

/** Some tests may fail at once by bad luck. More failures than this have a common reason. */
export const MOST_FLAKY = 5;

export function failedFiles(report: JestReport): FileResult[] {
  return report.testResults.filter(isFailed);
}

/**
 * The failures of a file, one for each test. A hook that fails makes each of its tests fail, but counts as one failure.
 */
export function failuresOf(result: FileResult, file: string): FlakyTest[] {
  const failed = result.assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [{ file, test: '(the file could not be run)', message: result.message }];
  const byMessage = new Map<string, FlakyTest>();
  for (const { ancestorTitles, title, failureMessages } of failed) {
    const message = failureMessages?.join('\n') ?? '';
    const test = [...ancestorTitles, title].join(' › ');
    // Tests of one file that fail with the same words and the same stack failed in the same hook.
    if (!byMessage.has(message)) byMessage.set(message, { file, test, message });
  }
  return [...byMessage.values()];
}

/** The report with the result of the file's second run instead of the first one. */
export function withSecondRun(report: JestReport, second: FileResult): JestReport {
  const first = report.testResults.find(({ name }) => name === second.name);
  if (first === undefined) throw new Error(`The first run has no ${second.name}.`);
  const added = (count: (result: FileResult) => number) => count(second) - count(first);
  const tests =
    (...statuses: string[]) =>
    ({ assertionResults }: FileResult) =>
      assertionResults.filter(({ status }) => statuses.includes(status)).length;
  const numFailedTestSuites = report.numFailedTestSuites + added((result) => Number(isFailed(result)));
  return {
    ...report,
    numFailedTestSuites,
    numPassedTestSuites: report.numPassedTestSuites + added((result) => Number(!isFailed(result))),
    numRuntimeErrorTestSuites:
      report.numRuntimeErrorTestSuites +
      added((result) => Number(isFailed(result) && result.assertionResults.length === 0)),
    numFailedTests: report.numFailedTests + added(tests('failed')),
    numPassedTests: report.numPassedTests + added(tests('passed')),
    numPendingTests: report.numPendingTests + added(tests('pending', 'skipped', 'disabled')),
    numTodoTests: report.numTodoTests + added(tests('todo')),
    numTotalTests: report.numTotalTests + added(({ assertionResults }) => assertionResults.length),
    success: numFailedTestSuites === 0,
    testResults: report.testResults.map((result) => (result === first ? second : result)),
  };
}

/** The files that took longest, the longest first. */
export function slowestFiles(report: JestReport, most: number): { name: string; seconds: number }[] {
  return report.testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, most);
}

function isFailed({ status }: FileResult): boolean {
  return status === 'failed';
}
