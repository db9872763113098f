import type { Db } from '@posthorn/db/client';
import { LRUCache } from 'lru-cache';
import { compileSchema } from './compile-schema.ts';
import type { Schema } from './node.ts';
import { checkValue } from './run-schema.ts';

/** A payload of ingestion, parsed once. */
export type JsonPayload = { isJson: true; value: unknown } | { isJson: false };

/** The faults of a payload by the schema of its type, at most 10; null when the type has no schema any more. */
export type PayloadCheck = (
  type: { eventTypeId: string; schemaVersion: number },
  payload: JsonPayload,
) => Promise<string[] | null>;

/** The size of all kept schemas as JSON text: compiled they take some 30 times as much memory. */
const MOST_KEPT_CHARACTERS = 2 * 1024 * 1024;
const MOST_KEPT = 1_000;

/** Schemas are compiled once for each version, and kept while they are used. */
export function createPayloadCheck(db: Pick<Db, 'eventType'>): PayloadCheck {
  const kept = new LRUCache<string, { schema: Schema; characters: number }>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
    async fetchMethod(key) {
      const id = key.slice(0, key.indexOf(' '));
      const row = await db.eventType.findUnique({ where: { id }, select: { schema: true } });
      if (row === null || row.schema === null) return undefined;
      const compiled = compileSchema(row.schema);
      // It was checked when it was stored.
      if (compiled.kind === 'invalid') throw new Error(`the schema of event type ${id} cannot be compiled`);
      return { schema: compiled.schema, characters: JSON.stringify(row.schema).length };
    },
  });
  return async ({ eventTypeId, schemaVersion }, payload) => {
    const found = await kept.fetch(`${eventTypeId} ${schemaVersion}`);
    if (found === undefined) return null;
    return payload.isJson ? checkValue(found.schema, payload.value) : ['The payload must be JSON'];
  };
}
