import { text } from 'node:stream/consumers';
import { runAdmin } from './run-admin.ts';

// A reader such as `head` may end before the output does; the command goes on, and its exit code says how it ended.
process.stdout.on('error', () => undefined);

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: undefined,
  readInput: () => text(process.stdin),
  write: (written) => process.stdout.write(written),
  writeError: (written) => process.stderr.write(written),
});
