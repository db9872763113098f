import { z } from 'zod';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * Converts zod schemas to JSON Schema 2020-12 (the dialect of OpenAPI 3.1) and collects those with an id as components.
 */
export type SchemaWriter = {
  /** The schema of a request or an answer, or a reference to a component. */
  write: (schema: z.ZodType, side: 'input' | 'output') => JsonObject;
  /** Every schema that has been referenced, by its id. */
  components: () => JsonObject;
};

export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonObject>();
  return {
    write(schema, side) {
      // Inside a list a schema with an id becomes a reference; at the top level it would be inlined.
      const written = z.toJSONSchema(z.array(schema), {
        target: 'draft-2020-12',
        io: side,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema),
      });
      // The value is plain JSON; references to its own definitions become references to components.
      const root: JsonObject = JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/'));
      for (const [id, definition] of Object.entries(asObject(root.$defs))) components.set(id, withoutId(definition));
      return asObject(root.items);
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function withoutId(definition: Json): JsonObject {
  const { id: _, ...rest } = asObject(definition);
  return rest;
}

function adapt(zodSchema: z.core.$ZodTypes, schema: z.core.JSONSchema.BaseSchema): void {
  // The interface may gain fields, so clients must not rely on a field's absence.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // The format implies the pattern, which would fill a page.
  if (schema.format === 'date-time') delete schema.pattern;
  if ('example' in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  // The minimum of every safe integer.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (zodSchema._zod.def.type === 'undefined') {
    schema.not = {};
    schema.description = 'Part of the interface, but refused in this version.';
  }
}
