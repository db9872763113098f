import { invalid } from '../http/error.ts';
import { compileSchema } from './compile-schema.ts';
import type { Schema } from './node.ts';
import type { SchemaDocument } from './schema-changes.ts';

/** The compiled schema; null where there is none. A document that is no usable JSON Schema is refused, naming the place. */
export function requireSchema(document: SchemaDocument): Schema | null {
  if (document === null) return null;
  const compiled = compileSchema(document);
  if (compiled.kind === 'schema') return compiled.schema;
  const field = ['schema', compiled.path].filter((part) => part !== '').join('.');
  throw invalid(`${field} ${compiled.rule}`, field);
}
