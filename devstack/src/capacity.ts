import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCapacity } from './capacity/run-capacity.ts';
import { projectRoot } from './project-root.ts';

process.exitCode = runCapacity(process.argv.slice(2), {
  readRun: () => readFileSync(join(projectRoot, 'docs/benchmarks/run.json'), 'utf8'),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
