import { setTimeout } from 'node:timers/promises';
import type { testFilterBody } from '@posthorn/contract/subscriptions';
import type { Prisma } from '@posthorn/db/generated/client';
import { examine } from '@posthorn/filter/match-filter';
import { type Filter, parseFilter } from '@posthorn/filter/parse-filter';
import { createGiveWay } from '@posthorn/runtime/give-way';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid } from '../transport/error.ts';

/** A filter as its column holds it. */
export type FilterColumn = Prisma.InputJsonObject;

/** The filter at `place`, if it is one; a bad one is `validation_error`, naming the place and the rule. */
export function requireFilter(given: unknown, place = 'filter'): FilterColumn | null {
  if (given === null) return null;
  requireParsed(given, place);
  // A filter that can be parsed is a JSON object.
  return given as FilterColumn;
}

function requireParsed(given: unknown, place: string): Filter {
  const parsed = parseFilter(given);
  if (parsed.kind === 'filter') return parsed.filter;
  const field = [place, parsed.path].filter((part) => part !== '').join('.');
  throw invalid(`${field} ${parsed.rule}`, field);
}

/**
 * Tests whether the payload matches the filter, and each of its clauses. Nothing is stored. The clauses of a large
 * payload may take 0.2 s. So the work pauses for as long as it ran, and takes at most half of the process.
 */
export async function testFilter(ctx: WorkspaceContext, { filter, payload }: z.output<typeof testFilterBody>) {
  const parsed = requireParsed(filter, 'filter');
  return ctx.inFilterTurn(() =>
    examine(
      parsed,
      payload,
      createGiveWay((heldMs) => setTimeout(heldMs)),
    ),
  );
}
