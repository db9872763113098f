// Jest's `testRunner`: runs one test file in a worker. The files of a worker share one graph of modules, because most of
// the time of a small file would go into loading the same modules again. No test mocks a module, so no file can notice.
//
// A file that changes what is global (it imports `jest`), or that needs fresh modules, says so in its first comment with
// `@isolated`: Jest then gives it an environment and modules of its own.
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const runWithCircus = require('jest-circus/runner');
const { current } = require('./shared-globals.cjs');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

module.exports = async (globalConfig, config, environment, runtime, path, sendMessageToJest) => {
  if (isIsolated(path) || isWatchedInBand(globalConfig)) {
    return await runWithCircus.default(globalConfig, config, environment, runtime, path, sendMessageToJest);
  }
  const { console } = globalThis;
  const env = { ...process.env };
  globalThis.console = environment.global.console;
  try {
    const place = { global: globalThis };
    return await runWithCircus.default(globalConfig, config, place, nativeRuntime, path, sendMessageToJest);
  } finally {
    globalThis.console = console;
    process.env = env;
  }
};

/** Node's own modules in the place of Jest's: the part of a runtime that circus uses. */
const nativeRuntime = {
  requireInternalModule: requireAnew,
  requireModule: require,
  setGlobalsForRuntime: (globals) => Object.assign(current, globals),
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  enterTestCode() {},
  leaveTestCode() {},
};

/** Circus keeps the tests of one file in its module, so each file gets a module of its own. */
function requireAnew(path) {
  delete require.cache[path];
  globalThis[EVENT_HANDLERS] = undefined;
  return require(path);
}

function isIsolated(path) {
  const source = readFileSync(path, 'utf8');
  return source.startsWith('/**') && source.slice(0, source.indexOf('*/')).includes('@isolated');
}

/** A watching Jest may run a few files in its own process, which would keep the modules as they were. */
function isWatchedInBand({ watch, watchAll }) {
  return (watch || watchAll) && process.send === undefined;
}
