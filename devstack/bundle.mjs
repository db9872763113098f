// Bundles each service into a few files, `services/<service>/bundle`, so that a start reads a few files instead of a
// thousand. The image, `npm start` and the tests run the bundle. It is made from the sources, so it needs no compiled
// file. `packages/cli/bundle` is the npm package of the command line as it is published.
//   node devstack/bundle.mjs
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The programs of threads. A service starts each by its file. */
const threads = { 'transform-worker': join(root, 'packages/transform/src/worker.ts') };
const programs = { api: ['main', 'admin', 'check-settings'], dispatcher: ['main', 'check-settings'], all: ['main'] };

const QUERY_COMPILER = 'query-compiler.wasm';

/** These stay packages: they read files of their own, or are compiled for a processor. `pg-native` is not installed.
 * The package.json of each service names its own; the one of `all` names both. */
const packages = [/^@bull-board\//, '@node-rs/argon2', '@scalar/api-reference', 'pg-native'];

await Promise.all([
  ...Object.entries(programs).map(([service, names]) =>
    bundle(join(root, 'services', service), names, { programsOfThreads: threads }),
  ),
  bundleCommandLine(join(root, 'packages/cli')),
]);

/**
 * Bundles the command line with all of its packages: the published package depends on nothing and names nothing
 * of this workspace.
 */
async function bundleCommandLine(room) {
  await bundle(room, ['main'], { sourcemap: false, minify: true, banner: '#!/usr/bin/env node' });
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(room, 'package.json'), 'utf8'),
  );
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { posthorn: 'main.js' },
    files: ['*.js'],
  };
  writeFileSync(join(room, 'bundle/package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(room, 'README.md'), join(room, 'bundle/README.md'));
}

async function bundle(room, names, { programsOfThreads = {}, ...output } = {}) {
  const source = join(room, 'src');
  const out = join(room, 'bundle');
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: {
      ...Object.fromEntries(names.map((name) => [name, join(source, `${name}.ts`)])),
      ...programsOfThreads,
    },
    resolve: { conditionNames: ['@posthorn/source', 'node'] },
    external: packages,
    plugins: [{ name: 'posthorn', load: replaced, transform: (code, id) => placesOfSources(code, id, out) }],
    // A library that uses eval or has a circle of imports is not ours to change.
    checks: { eval: false, circularDependency: false },
    logLevel: 'warn',
  });
  await build.write({
    dir: out,
    format: 'esm',
    sourcemap: true,
    // Node keeps the source maps in memory. Without the texts of the sources they take a third.
    sourcemapExcludeSources: true,
    // Node reads the whole of each file when it starts, and its spaces and comments are a quarter of that.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    ...output,
  });
  await build.close();
}

/**
 * `packages/queue` loads BullMQ by `require`, which the bundler does not see. A thread's program is a file of the bundle. The
 * client of Kafka has WebAssembly in a file of its own, and also in a module. The texts of SQL files become a module. The
 * WebAssembly of Prisma becomes a file: Node would keep the text of its module, and the same text as its value.
 */
function replaced(id) {
  if (id.endsWith('.postgresql.wasm-base64.mjs')) {
    this.emitFile({ type: 'asset', fileName: QUERY_COMPILER, source: wasmOf(readFileSync(id, 'utf8')) });
    return `import { readFileSync } from 'node:fs'; export const wasm = readFileSync(new URL('./${QUERY_COMPILER}', import.meta.url));`;
  }
  if (id === join(root, 'packages/queue/src/redis/bullmq.ts'))
    return "import * as bullmq from 'bullmq'; export { bullmq };";
  if (id.endsWith('/@platformatic/wasm-utils/dist/index.js')) return "export * from './bundled.js';";
  if (id === join(root, 'packages/ledger/src/sql-text.ts')) return sqlTexts(join(root, 'packages/ledger/sql'));
  if (id !== join(root, 'packages/transform/src/worker-file.ts')) return undefined;
  return "export const WORKER_FILE = new URL('./transform-worker.js', import.meta.url);";
}

/** The bytes in a module whose value is their text. Prisma's client makes a Buffer of either. */
function wasmOf(module) {
  const [, base64] = /const wasm = "([\w+/=]+)"/.exec(module) ?? [];
  if (base64 === undefined) throw new Error('the WebAssembly of Prisma has no known form');
  return Buffer.from(base64, 'base64');
}

/** Our files find others relative to themselves, so `import.meta.url` stays the address of the source. */
function placesOfSources(code, id, out) {
  if (id.includes('node_modules') || id.endsWith('/worker-file.ts') || !code.includes('import.meta.url'))
    return undefined;
  const source = JSON.stringify(relative(out, id).replaceAll('\\', '/'));
  // No map is needed: the lines stay where they are.
  return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null };
}

function sqlTexts(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const texts = Object.fromEntries(
    files.map((name) => [name.slice(0, -'.sql'.length), readFileSync(join(folder, name), 'utf8')]),
  );
  return `const texts = ${JSON.stringify(texts)}; export const sqlText = (name) => texts[name];`;
}
