import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '@posthorn/client';
import type { Context } from './context.ts';
import { EXIT } from './failure.ts';

const ASK_EVERY_MS = 1_000;
const BAR_LENGTH = 30;

/** Waits for the end of an operation, with a bar on a terminal, and prints it. Returns the exit code. */
export async function watchOperation({ client, output, signal }: Context, id: string): Promise<number> {
  let operation = await client().operations.get(id, { signal });
  try {
    while (operation.finishedAt === null) {
      output.progress(describeProgress(operation));
      await pause(ASK_EVERY_MS, undefined, { signal });
      operation = await client().operations.get(id, { signal });
    }
  } finally {
    // What follows has a line of its own, also an error.
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
