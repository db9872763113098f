// Jest's `testRunner`: runs one test file in a worker. The files of a worker share one graph of modules, because most of
// the time of a small file would go into loading the same modules again. No test mocks a module, so no file can notice.
//
// A file that changes what is global (it imports `jest`), or that needs fresh modules, says so in its first comment with
// `@isolated`: Jest then gives it an environment and modules of its own.
//
// A file with `@queues redis postgres` runs once with each queue, one after the other (`testQueue` of the testkit).
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const runWithCircus = require('jest-circus/runner');
const { current } = require('./shared-globals.cjs');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

module.exports = async (globalConfig, config, environment, runtime, path, sendMessageToJest) => {
  const comment = firstComment(path);
  if (comment.includes('@isolated') || isWatchedInBand(globalConfig)) {
    environment.handleTestEvent ??= patiently();
    return await runWithCircus.default(globalConfig, config, environment, runtime, path, sendMessageToJest);
  }
  const [, queues] = /@queues ([a-z ]+)/.exec(comment) ?? [];
  const run = (queue) => runShared({ globalConfig, config, environment, path, sendMessageToJest }, queue);
  if (queues === undefined) return await run();
  const results = [];
  for (const queue of queues.trim().split(' ')) results.push(named(await run(queue), `queue in ${queue}`));
  return results.reduce(together);
};

async function runShared({ globalConfig, config, environment, path, sendMessageToJest }, queue) {
  const { console } = globalThis;
  const env = { ...process.env };
  globalThis.console = environment.global.console;
  if (queue !== undefined) process.env.POSTHORN_TEST_QUEUE = queue;
  try {
    const place = { global: globalThis, handleTestEvent: patiently() };
    return await runWithCircus.default(globalConfig, config, place, nativeRuntime(queue), path, sendMessageToJest);
  } finally {
    globalThis.console = console;
    process.env = env;
  }
}

/** Multiplies the times that tests and hooks give themselves by TEST_PATIENCE, as jest.config.js does with the default. */
function patiently() {
  const patience = Number(process.env.TEST_PATIENCE ?? 1);
  const seen = new Set();
  return ({ name, test, hook }) => {
    const one = { test_start: test, hook_start: hook }[name];
    if (!one?.timeout || seen.has(one)) return;
    seen.add(one);
    one.timeout *= patience;
  };
}

/** The results, with `words` before the name of each test. */
function named(results, words) {
  const testResults = results.testResults.map((result) => ({
    ...result,
    ancestorTitles: [words, ...result.ancestorTitles],
    fullName: `${words} ${result.fullName}`,
  }));
  return { ...results, testResults };
}

const COUNTS = ['numFailingTests', 'numPassingTests', 'numPendingTests', 'numTodoTests'];

/** Merges the results of both runs of a file. */
function together(one, other) {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, one[name] + other[name]]));
  const failureMessage = [one.failureMessage, other.failureMessage].filter(Boolean).join('\n') || null;
  return { ...one, ...counts, failureMessage, testResults: [...one.testResults, ...other.testResults] };
}

/**
 * Replaces the part of Jest's runtime that circus uses with Node's own modules. A file that runs twice is loaded twice.
 */
const nativeRuntime = (queue) => ({
  requireInternalModule: requireAnew,
  requireModule: require,
  setGlobalsForRuntime: (globals) => Object.assign(current, globals),
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href + (queue === undefined ? '' : `?${queue}`)),
  enterTestCode() {},
  leaveTestCode() {},
});

/** Loads a module again: circus keeps the tests of a file in its module, so each file needs its own. */
function requireAnew(path) {
  delete require.cache[path];
  globalThis[EVENT_HANDLERS] = undefined;
  return require(path);
}

function firstComment(path) {
  const source = readFileSync(path, 'utf8');
  return source.startsWith('/**') ? source.slice(0, source.indexOf('*/')) : '';
}

/** Whether a watching Jest runs files in its own process, which would keep the modules as they were. */
function isWatchedInBand({ watch, watchAll }) {
  return (watch || watchAll) && process.send === undefined;
}
