import { runCommandLine } from './program.ts';

// The only place that reads the process: everything else gets it from here.
await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt: (interrupt) => process.on('SIGINT', interrupt),
  exit: (code) => process.exit(code),
});
