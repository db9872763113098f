import { createHash } from 'node:crypto';
import { fromId, ID_PREFIXES } from '@posthorn/contract/ids';

/** By field, the old and the new value. */
type Changes = Record<string, { from: unknown; to: unknown }>;

/** The most bytes of a value, as JSON. */
const MAX_BYTES = 1_024;

/**
 * Replaces each longer value by a digest, because nobody may delete audit entries for a year. A list of public ids
 * stays, because it names what a deletion has deleted. The values are as JSON columns require.
 */
export function boundedChanges(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: bounded(from), to: bounded(to) }]),
  );
}

function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES || isListOfIds(value)) return JSON.parse(text);
  return { sha256: createHash('sha256').update(text).digest('hex'), bytes };
}

function isListOfIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && isId(one));
}

function isId(text: string): boolean {
  return Object.values(ID_PREFIXES).some((prefix) => fromId(prefix, text) !== undefined);
}
