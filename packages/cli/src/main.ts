import { runCommandLine } from './program.ts';

// The only place that reads `process`. Everything else gets its values from here.
await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  // Node opens a stream when it is first read, which takes time. Most commands need no stdin.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  onInterrupt: (interrupt) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  },
  interrupt: () => void process.emit('SIGINT'),
  exit: (code) => process.exit(code),
});
