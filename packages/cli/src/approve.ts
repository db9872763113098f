import type { Values } from './command.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './failure.ts';
import { confirm } from './terminal.ts';

export const YES = { '--yes': 'do not ask' };

/** Asks before something is lost, and returns when the answer is yes. `--yes` answers in advance. */
export async function approve({ terminal, signal }: Context, values: Values, question: string): Promise<void> {
  if (values.yes || (await confirm(terminal, question, signal))) return;
  throw new CommandError({ exitCode: EXIT.other, code: 'not_confirmed', message: 'Nothing was changed' });
}
