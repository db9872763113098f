import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '@posthorn/client';
import type { Context } from './context.ts';
import { EXIT } from './failure.ts';

const ASK_EVERY_MS = 1_000;
const BAR_LENGTH = 30;

/** Waits until an operation ends, and prints it. Shows a progress bar on a terminal. Returns the exit code. */
export async function watchOperation({ client, output, signal }: Context, id: string): Promise<number> {
  let operation = await client().operations.get(id, { signal });
  try {
    while (operation.finishedAt === null) {
      output.progress(describeProgress(operation));
      await pause(ASK_EVERY_MS, undefined, { signal });
      operation = await client().operations.get(id, { signal });
    }
  } finally {
    // Clear the bar, so that later output, even an error, has a line of its own.
    output.progress('');
  }
  await output.item(operation);
  return operation.status === 'completed' ? EXIT.ok : EXIT.other;
}

function describeProgress({ status, matched, enqueued, delivered, failed }: Operation): string {
  if (matched === null) return `${status} …`;
  const share = matched === 0 ? 1 : Math.min(1, enqueued / matched);
  const done = Math.round(share * BAR_LENGTH);
  const bar = `${'█'.repeat(done)}${'░'.repeat(BAR_LENGTH - done)}`;
  return `${bar} ${enqueued} of ${matched} queued, ${delivered} delivered, ${failed} failed`;
}
