import { text } from 'node:stream/consumers';
import { runAdmin } from './run-admin.ts';

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: undefined,
  readInput: () => text(process.stdin),
  write: (written) => process.stdout.write(written),
  writeError: (written) => process.stderr.write(written),
});
