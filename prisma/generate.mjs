// Generates the Prisma client. `prisma generate` needs only WebAssembly, but its command line first looks for a schema
// engine binary to download; naming any executable spares that download, which fails where only npm can be reached.
// Never do this for `prisma migrate`: it would do nothing and say nothing.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeGraphLean } from './lean-graph.mjs';
import { shareCompiler } from './share-compiler.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(join(root, 'package.json'));
const cli = join(dirname(require.resolve('prisma/package.json')), 'build/index.js');

const run = spawnSync(
  process.execPath,
  [cli, 'generate', '--schema', join(root, 'prisma/schema.prisma'), '--no-hints'],
  {
    cwd: root,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
    encoding: 'utf8',
  },
);
if (run.status !== 0) process.stderr.write(`${run.stdout}${run.stderr}\n`);
if (run.status === 0) {
  const file = join(root, 'packages/db/src/generated/internal/class.ts');
  makeGraphLean(file);
  shareCompiler(file);
}
process.exit(run.status ?? 1);
