import { constants } from 'node:os';
import { VERSION } from '@posthorn/client';
import { Command, CommanderError, Option } from 'commander';
import { defineCommand, type Row, type Runner } from './command.ts';
import type { GlobalOptions } from './context.ts';
import { oneLine } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { words } from './words.ts';

/** The time that a command has after an interruption to give back or delete what it holds. */
const ENDS_WITHIN_MS = 10_000;

/** Runs the command that the arguments name, and ends the process with its exit code. */
export async function runCommandLine(terminal: Terminal): Promise<void> {
  const { stdout, stderr } = terminal;
  const interruption = new AbortController();
  let interruptedCode = 0;
  const interrupt = (exitCode: number) => {
    if (interruption.signal.aborted) return;
    interruptedCode = exitCode;
    setTimeout(() => terminal.exit(exitCode), ENDS_WITHIN_MS).unref();
    interruption.abort();
  };
  for (const stream of [stdout, stderr]) {
    // The reader has enough: `posthorn events list | head -1`.
    stream.on('error', (error: NodeJS.ErrnoException) => interrupt(error.code === 'EPIPE' ? 0 : 1));
  }
  terminal.onInterrupt((signal = 'SIGINT') => {
    // A second Ctrl-C ends the process at once. SIGHUP may come twice: from a closing terminal and from its shell.
    if (signal === 'SIGINT' && interruption.signal.aborted) terminal.exit(130);
    interrupt(128 + constants.signals[signal]);
  });
  const exitCode = await run(terminal, interruption.signal);
  // Let a pipe take what is left before the process ends.
  await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));
  terminal.exit(interruption.signal.aborted ? interruptedCode : exitCode);
}

async function run(terminal: Terminal, signal: AbortSignal): Promise<number> {
  let exitCode = 0;
  const runner: Runner = async (command, runCommand) => {
    const { createContext } = await import('./context.ts');
    const { createFetch } = await import('./proxied-fetch.ts');
    globalThis.fetch = (await createFetch(terminal.env)) ?? globalThis.fetch;
    const context = await createContext(terminal, command.optsWithGlobals<GlobalOptions>(), signal);
    const result = await runCommand(context).catch(async (error) => {
      const { withNearType } = await import('./commands/event-types.ts');
      throw await withNearType(error, context);
    });
    exitCode = typeof result === 'number' ? result : 0;
  };
  try {
    await createProgram(terminal, runner).parseAsync(withHelp(terminal.argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    // An interruption has its own exit code, and prints nothing.
    if (signal.aborted) return 0;
    // Commander has already printed the help or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const [{ describeFailure, toFailure }, { withKind }] = await Promise.all([
      import('./failure.ts'),
      import('./kinds.ts'),
    ]);
    const failure = withKind(toFailure(error), terminal.argv);
    terminal.stderr.write(`${describeFailure(failure)}\n`);
    return failure.exitCode;
  }
}

/** Loads the commands of a word only when the word is used, so that a start loads no more than it needs. */
function createProgram({ stdout, stderr }: Terminal, runner: Runner): Command {
  const program = new Command('posthorn')
    .description('Send events, follow deliveries, and receive webhooks on your machine.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Commander puts its suggestion of another word on a separate line.
      outputError: (text, write) =>
        write(`${oneLine(`posthorn: usage: ${text.replace('error: ', '').trim()}. Next: add --help`)}\n`),
    })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .version(VERSION, '--version', 'print the version');
  for (const option of globalOptions()) program.addOption(option);
  for (const { name, summary } of words) {
    program.addCommand(
      new Command(name).copyInheritedSettings(program).helpCommand(false).summary(summary).description(summary),
    );
  }
  program.addHelpText('after', HELP);
  program.hook('preSubcommand', async (_, command) => {
    const word = words.find(({ name }) => name === command.name());
    if (word !== undefined) addRows(command, await word.load(), runner);
  });
  return program;
}

function globalOptions(): Option[] {
  return [
    new Option('--profile <name>', 'the profile to use (or POSTHORN_PROFILE)'),
    new Option('--workspace <id>', 'the workspace to use (or POSTHORN_WORKSPACE_ID)'),
    new Option('--environment <slug>', 'the environment to use, by slug or id (or POSTHORN_ENVIRONMENT)'),
    new Option(
      '--output <format>',
      'unless given: table on a terminal, else json, a line for each item; text is table, junit is a report of check',
    ).choices(['table', 'json', 'yaml', 'text', 'junit']),
    new Option('--quiet', 'print ids only'),
  ];
}

/** A word with one row of the same name is itself a command. Every other row is a subcommand. */
function addRows(command: Command, rows: readonly Row[], runner: Runner): void {
  for (const row of rows) {
    const [name = ''] = row.usage.split(' ');
    if (name === command.name()) defineCommand(command, row, runner);
    else {
      const below = new Command(name).copyInheritedSettings(command);
      defineCommand(below, row, runner);
      command.addCommand(below);
    }
  }
}

/** `posthorn help events list` means `posthorn events list --help`. */
function withHelp(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

const HELP = `
Examples:
  $ posthorn login
  $ posthorn events send order.placed '{"id":"order_1002"}' --application ext:acme
  $ posthorn deliveries list --status dead_letter

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 not found, 5 refused, 6 not available, 130 interrupted`;
