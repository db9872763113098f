import { readFile, writeFile } from 'node:fs/promises';
import { type Call, type Row, text } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT, Usage } from '../failure.ts';
import type { EventShape } from '../payload-types/model.ts';
import { LANGUAGES, readShapes, writeTypes } from '../payload-types/write-types.ts';

export const types: readonly Row[] = [
  {
    usage: 'types',
    summary: 'Write the types of the published events, for programs that receive them',
    options: {
      '--lang <language>': 'ts, python, go or java',
      '--out <file>': 'write this file instead of printing',
      '--check <file>': 'exit with 5 if events have changed in a way that breaks programs with this file',
    },
    examples: ['posthorn types --lang ts --out events.ts', 'posthorn types --check events.ts'],
    run: runTypes,
  },
];

async function runTypes(context: Context, { values }: Call): Promise<void> {
  const check = text(values, 'check');
  if (check !== undefined) return checkFile(context, check);
  const language = LANGUAGES.find((known) => known === values.lang);
  if (language === undefined) throw new Usage(`--lang must be one of ${LANGUAGES.join(', ')}`);
  const source = writeTypes(language, await readPublished(context));
  const out = text(values, 'out');
  if (out === undefined) return context.output.text(source);
  await writeFile(out, source).catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${out} cannot be written: ${error.code}`);
  });
  context.output.note(`Wrote ${out}`);
}

async function checkFile(context: Context, file: string): Promise<void> {
  const source = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${file} cannot be read: ${error.code}`);
  });
  const before = readShapes(source);
  if (before === undefined) throw new Usage(`${file} was not written by posthorn types`);
  const { breakingChanges } = await import('../payload-types/breaking-changes.ts');
  const changes = breakingChanges(before, await readPublished(context));
  if (changes.length === 0) return context.output.note('No change breaks programs that were built with this file');
  throw new CommandError({
    exitCode: EXIT.refused,
    code: 'breaking_change',
    message: `events have changed: ${changes.join('; ')}`,
    next: `change the program, then write ${file} again with posthorn types`,
  });
}

/** The events that are published in the environment, with their schemas. */
async function readPublished({ client, requireEnvironmentId, signal }: Context): Promise<EventShape[]> {
  const shapes: EventShape[] = [];
  for await (const { name, schema } of client().catalog.list(await requireEnvironmentId(), { signal })) {
    shapes.push({ name, schema });
  }
  return shapes;
}
