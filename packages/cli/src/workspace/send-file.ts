import { ApiError, type Posthorn, type WorkspaceDocument, type WorkspacePlan } from '@posthorn/client';
import type { Context } from '../context.ts';
import { createClient } from '../context.ts';
import { CommandError, EXIT, toFailure, Usage } from '../failure.ts';
import { safeText } from '../safe-text.ts';
import type { Portion } from './items.ts';
import { type Part, partsOf, pathInFile } from './parts.ts';
import type { WorkspaceFile } from './read-file.ts';

/** A large document takes longer than other requests. */
const TIMEOUT_MS = 120_000;

/** Sends the parts of a file, and reports faults with their place in the file. */
export type Sender = {
  parts: readonly Part[];
  /** `done` is the number of parts that are already applied. */
  send: (portion: Portion, options: { dryRun: boolean; done?: number }) => Promise<WorkspacePlan>;
};

export function createSender(context: Context, file: WorkspaceFile, prune: boolean): Sender {
  const client: Posthorn = createClient(context.place, { timeoutMs: TIMEOUT_MS });
  const parts = partsOf(file.document, prune);
  if (typeof parts === 'string') throw new Usage(`${file.name}: ${parts}`);
  if (parts.length > 1) {
    context.output.note(
      `${file.name} is larger than a call takes: it is applied in ${parts.length} parts, each in a transaction of its own`,
    );
  }
  return {
    parts,
    async send(portion, { dryRun, done = 0 }) {
      try {
        // The server validates the document, and reports every fault.
        const document = portion.document as WorkspaceDocument;
        const body = { document, dryRun, prune, ...portion.options };
        return await client.workspace.apply(body, { signal: context.signal });
      } catch (error) {
        if (dryRun && needsRoom(error, portion)) throw error;
        throw error instanceof ApiError ? withPlaces(context, error, { file, portion, done }) : error;
      }
    },
  };
}

/** Whether a part was refused because of a limit, although other parts would make room before it is applied. */
export function needsRoom(error: unknown, { options }: Portion): boolean {
  return options?.part === true && error instanceof ApiError && error.code === 'limit_reached';
}

/** Prints each fault with its place in the file to stderr. Returns the error that ends the command. */
function withPlaces(
  { terminal }: Context,
  error: ApiError,
  { file, portion, done }: { file: WorkspaceFile; portion: Portion; done: number },
): unknown {
  const details = (error.details ?? []).filter(({ field }) => field.startsWith('document'));
  if (details.length === 0) return error;
  for (const { field, message } of details) {
    const path = pathInFile(field.slice('document.'.length), portion);
    terminal.stderr.write(`${safeText(`${file.placeOf(path)}: ${inFile(message, portion)}`)}\n`);
  }
  const { code, requestId } = toFailure(error);
  const faults = details.length === 1 ? 'a fault' : `${details.length} faults`;
  return new CommandError({
    ...{ exitCode: EXIT.refused, code, requestId, next: 'correct the file' },
    message: `${file.name} has ${faults}, and nothing of ${done === 0 ? 'it' : 'this part'} was applied`,
  });
}

/** Replaces the place in the call's document, with which a message may begin, by the place in the file. */
function inFile(message: string, portion: Portion): string {
  if (!message.startsWith('document.')) return message;
  return pathInFile(message.slice('document.'.length), portion);
}
