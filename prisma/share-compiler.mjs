// Lets the clients of a process share one query compiler: packages/db/src/share-compiler.ts.
import { readFileSync, writeFileSync } from 'node:fs';

const LOADED = /(getRuntime: async \(\) => )(await import\("[^"]+"\))/;

/** Changes the file of a generated client. Throws when its form is unknown, as a new version of Prisma may have one. */
export function shareCompiler(file) {
  const source = readFileSync(file, 'utf8');
  if (!LOADED.test(source)) throw new Error(`${file} does not load the query compiler in the known form`);
  const shared = source.replace(LOADED, '$1shareCompiler($2)');
  writeFileSync(file, shared.replace(/^import /m, "import { shareCompiler } from '../../share-compiler.ts'\nimport "));
}
