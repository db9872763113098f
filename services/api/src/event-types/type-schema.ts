import { compileSchema, type SchemaWarning } from '@posthorn/json-schema/compile-schema';
import type { Schema } from '@posthorn/json-schema/node';
import type { SchemaDocument } from '@posthorn/json-schema/schema-changes';
import { invalid } from '../transport/error.ts';

/** A compiled schema, with warnings about its parts that are not checked; null if there is none. */
export type TypeSchema = { schema: Schema; schemaWarnings: SchemaWarning[] } | null;

/** Compiles a schema. A document that is not a usable JSON Schema is refused, and the error names the place. */
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

/** The field of the body at this path of the schema. */
function fieldOf(path: string): string {
  return path === '' ? 'schema' : `schema.${path}`;
}
