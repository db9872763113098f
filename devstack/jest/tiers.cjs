// Jest's `--filter` of the three commands for tests. TEST_TIER names the tier:
// - `unit` (`npm run test:unit`): needs no store, no process and no build.
// - `fast` (`npm test`): needs the stores of the run, and starts no program of its own.
// - `system` (`npm run test:system`): starts programs: services as processes, browsers, brokers, toolchains.
// The imports of a file decide its tier, so no list has to be kept. Without TEST_TIER, every file runs.
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '../..');

/** Modules that start programs. */
const starters = ['node:child_process', '@playwright/test'];
const database = 'packages/testkit/src/database.ts';
/** Matches a file of a build, as a test names it. */
const built = /\b(dist|bundle)\/[\w-]+\.js\b/;
/**
 * Matches product code. It may start a program, such as the browser of `posthorn open`, but a test that imports
 * it does not.
 */
const product = /^(packages\/(?!testkit\/)|services\/|sdks\/)(?!.*\.test\.ts$)/;

/**
 * These start programs but run with `npm test` all the same: a smoke test of each kind, and the check of the documents.
 */
const fastAllTheSame = ['e2e/browser/get-started.test.ts', 'e2e/faults/smoke.test.ts', 'e2e/documents.test.ts'];

const tiers = {
  unit: (path) => whyNotUnit(path) === undefined,
  fast: (path) => whySystem(path) === undefined,
  system: (path) => whySystem(path) !== undefined,
};

module.exports = (paths) => {
  const tier = process.env.TEST_TIER;
  return { filtered: tier === undefined ? paths : paths.filter(tiers[tier]) };
};
module.exports.whyNotUnit = whyNotUnit;
module.exports.whySystem = whySystem;

/** The reason why a file is no unit test: the module that it must not need, and the imports that lead to it. */
function whyNotUnit(path) {
  if (built.test(read(path))) return 'it uses what a build makes';
  return wayTo([...starters, database], path, () => true);
}

/** The module that starts a program, and the imports of the test file that lead to it. */
function whySystem(path) {
  if (fastAllTheSame.includes(relative(root, path))) return undefined;
  return wayTo(starters, path, (name) => !product.test(name));
}

/** The imports that lead from `path` to the first of `wanted`, through files that `follows` accepts. */
function wayTo(wanted, path, follows) {
  const waiting = [[path]];
  const seen = new Set();
  for (let chain = waiting.pop(); chain !== undefined; chain = waiting.pop()) {
    const module = chain.at(-1);
    const name = nameOf(module);
    if (wanted.includes(name)) return chain.map(nameOf).join(' → ');
    if (seen.has(module) || !follows(name)) continue;
    seen.add(module);
    for (const imported of importsOf(module)) waiting.push([...chain, imported]);
  }
  return undefined;
}

function nameOf(module) {
  return module.startsWith('/') ? relative(root, module) : module;
}

const known = new Map();

/**
 * The imports of a module: our own files by path, Node's modules and packages that start a program by name. Imports of
 * types are left out.
 */
function importsOf(module) {
  if (!/\.[mc]?[jt]sx?$/.test(module) || !existsSync(module)) return [];
  const text = read(module);
  const kept = known.get(module);
  if (kept?.text === text) return kept.imports;
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm),
  ];
  const imports = specifiers.map((found) => resolve(module, found[1] ?? found[2] ?? found[3])).filter(Boolean);
  known.set(module, { text, imports });
  return imports;
}

function resolve(from, specifier) {
  if (specifier.startsWith('node:') || starters.includes(specifier)) return specifier;
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, name, inside] = /^@posthorn\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const room = ['packages', 'services'].map((parent) => join(root, parent, name)).find((folder) => existsSync(folder));
  return room === undefined ? undefined : join(room, 'src', `${inside}.ts`);
}

function read(path) {
  return readFileSync(path, 'utf8');
}
