import { compileSchema, type SchemaWarning } from '@posthorn/json-schema/compile-schema';
import type { Schema } from '@posthorn/json-schema/node';
import type { SchemaDocument } from '@posthorn/json-schema/schema-changes';
import { invalid } from '../transport/error.ts';

/** A compiled schema, and what of it is not checked; null where there is none. */
export type TypeSchema = { schema: Schema; schemaWarnings: SchemaWarning[] } | null;

/** A document that is not a usable JSON Schema is refused, naming the place. */
export function requireSchema(document: SchemaDocument): TypeSchema {
  if (document === null) return null;
  const compiled = compileSchema(document);
  if (compiled.kind === 'invalid') {
    const field = fieldOf(compiled.path);
    throw invalid(`${field} ${compiled.rule}`, field);
  }
  const schemaWarnings = compiled.warnings.map(({ path, message }) => ({ path: fieldOf(path), message }));
  return { schema: compiled.schema, schemaWarnings };
}

/** The place in the body. */
function fieldOf(path: string): string {
  return path === '' ? 'schema' : `schema.${path}`;
}
