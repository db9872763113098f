import type { AcceptedEvent, Delivery } from '@posthorn/client';
import { type Values, wholeNumber } from './command.ts';
import type { Context } from './context.ts';
import type { Columns } from './output.ts';
import { isTransient, mayBeAnswered, pauseBeforeReconnect } from './reconnect.ts';

type Changes = { event: AcceptedEvent; delivery: Delivery };

export const TAIL_OPTIONS = { '--count <n>': 'end after this many' };

/**
 * Prints each change as it happens, until Ctrl-C or `--count`. Reconnects when the connection ends, and says so.
 * Changes in between appear in the list, but are not printed here.
 */
export async function printChanges<Kind extends keyof Changes>(
  context: Context,
  values: Values,
  kind: Kind,
  columns: Columns<Changes[Kind]>,
  filter: { endpointId?: string | undefined } = {},
): Promise<void> {
  const most = wholeNumber(values, 'count', { least: 1, most: 1_000_000 }) ?? Number.POSITIVE_INFINITY;
  await context.output.follow(take(readChanges(context, kind, filter), most), columns);
}

async function* take<Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count >= most) return;
  }
}

async function* readChanges<Kind extends keyof Changes>(
  { client, environmentId, output, signal }: Context,
  kind: Kind,
  filter: { endpointId?: string | undefined },
): AsyncGenerator<Changes[Kind]> {
  const environment = await environmentId();
  let connections = 0;
  for (let failures = 0; ; ) {
    connections += 1;
    try {
      output.note(connections === 1 ? 'Waiting for changes; Ctrl-C ends this' : 'Connecting again');
      for await (const change of client().stats.streamChanges({ ...filter, environmentId: environment, signal })) {
        failures = 0;
        if (change.event === kind) yield change.data as Changes[Kind];
        if (change.event === 'gap') output.note('Some changes were left out: there were too many at once');
      }
    } catch (error) {
      // What is wrong with the first connection may be so for ever.
      const mayEnd = connections === 1 ? isTransient(error) : mayBeAnswered(error);
      if (signal.aborted || !mayEnd) throw error;
      output.note(`The connection ended: ${(error as Error).message}`);
    }
    failures += 1;
    await pauseBeforeReconnect(failures, signal);
  }
}
