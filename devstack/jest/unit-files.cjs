// Jest's `--filter` of `npm run test:unit`: the files that need no store, no process and no build. What a file imports
// decides it, so no list has to be kept.
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '../..');

/** Modules that use a store or start a process. */
const heavy = ['node:child_process', 'packages/testkit/src/database.ts'];
/** What a build makes, as a test names it. */
const built = /\b(dist|bundle)\/[\w-]+\.js\b/;

module.exports = (paths) => {
  return { filtered: paths.filter((path) => whyNotUnit(path) === undefined) };
};
module.exports.whyNotUnit = whyNotUnit;

/** What the test file needs that a unit test must not need: the module, and the imports that lead to it. */
function whyNotUnit(path) {
  if (built.test(read(path))) return 'it uses what a build makes';
  const waiting = [[path]];
  const seen = new Set();
  for (let chain = waiting.pop(); chain !== undefined; chain = waiting.pop()) {
    const module = chain.at(-1);
    const name = module.startsWith('/') ? relative(root, module) : module;
    if (heavy.includes(name)) return chain.map((one) => (one.startsWith('/') ? relative(root, one) : one)).join(' → ');
    if (seen.has(module)) continue;
    seen.add(module);
    for (const imported of importsOf(module)) waiting.push([...chain, imported]);
  }
  return undefined;
}

const known = new Map();

/** Node's modules by name and our own files by path. Packages of others and imports of types are left out. */
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
  if (specifier.startsWith('node:')) return specifier;
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, name, inside] = /^@posthorn\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const room = ['packages', 'services'].map((parent) => join(root, parent, name)).find((folder) => existsSync(folder));
  return room === undefined ? undefined : join(room, 'src', `${inside}.ts`);
}

function read(path) {
  return readFileSync(path, 'utf8');
}
