import { z } from 'zod';
import { forGenerators } from './generator-forms.ts';
import { hoistObjects } from './hoist-objects.ts';
import { asObject, type Json, type JsonObject } from './json.ts';

/**
 * Converts zod schemas to JSON Schema 2020-12 (the dialect of OpenAPI 3.1) and collects the named ones as components. A
 * schema with `meta({ documentedAs })` is described by that other schema: the form in which a caller sees the value.
 */
export type SchemaWriter = {
  /** The schema, or a reference to its component when it has an id. */
  write: (schema: z.ZodType, side: Side) => JsonObject;
  /** A reference to the schema's component, or a list of such references. `name` is for a schema without an id. */
  writeNamed: (schema: z.ZodType, side: Side, name: string) => JsonObject;
  /** Every schema that has been referenced, by its name. */
  components: () => JsonObject;
};

/** Whether callers send the value or receive it: a default is optional in one and present in the other. */
type Side = 'input' | 'output';

export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonObject>();
  const named = new Map<z.ZodType, JsonObject>();
  const add = (name: string, definition: JsonObject) => {
    const known = components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`Two schemas have the name ${name}: ${JSON.stringify(known)} and ${JSON.stringify(definition)}`);
    }
    components.set(name, definition);
  };
  const write = (schema: z.ZodType, side: Side): JsonObject => {
    // Inside a list a schema with an id becomes a reference; at the top level it would be inlined.
    const written = z.toJSONSchema(z.array(schema), {
      target: 'draft-2020-12',
      io: side,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        adapt(zodSchema, jsonSchema, (other) => write(other, side));
        // Describe forms as they are sent, in answers, too: a stored value need not have the defaults.
        tellForms(jsonSchema, (form) => write(form, 'input'));
      },
    });
    // The value is plain JSON; references to its own definitions become references to components.
    const root: JsonObject = JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/'));
    for (const [id, definition] of Object.entries(asObject(root.$defs))) add(id, forGenerators(withoutId(definition)));
    return forGenerators(asObject(root.items));
  };
  return {
    write,
    writeNamed(schema, side, name) {
      const known = named.get(schema);
      if (known !== undefined) return known;
      const written = write(schema, side);
      const reference = isNamed(written) ? written : { $ref: `#/components/schemas/${name}` };
      if (reference !== written) add(name, written);
      named.set(schema, reference);
      return reference;
    },
    components: () => hoistObjects(Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))),
  };
}

/** Whether generators take a type's name from the document: a component, or a list of one. */
export function isNamed(schema: JsonObject): boolean {
  return '$ref' in schema || (schema.type === 'array' && '$ref' in asObject(schema.items));
}

function withoutId(definition: Json): JsonObject {
  const { id: _, ...rest } = asObject(definition);
  return rest;
}

function adapt(
  zodSchema: z.core.$ZodTypes,
  schema: z.core.JSONSchema.BaseSchema,
  write: (schema: z.ZodType) => JsonObject,
): void {
  const { documentedAs } = schema;
  if (documentedAs instanceof z.ZodType) {
    for (const key of Object.keys(schema)) if (!KEPT_BESIDE.has(key)) delete schema[key];
    Object.assign(schema, write(documentedAs), 'description' in schema ? { description: schema.description } : {});
  }
  const { def } = zodSchema._zod;
  // zod leaves out the default of a value that it transforms: `documentedAs` has the type of the result. An empty list
  // stands for a parameter that is absent.
  if (def.type === 'default' && !isEmptyList(def.defaultValue)) schema.default = def.defaultValue;
  // The interface may gain fields, so clients must not rely on a field's absence.
  const isOpen = schema.additionalProperties !== undefined && Object.keys(schema.additionalProperties).length === 0;
  if (isOpen && schema.properties !== undefined) delete schema.additionalProperties;
  // The format implies the pattern, which would fill a page.
  if (schema.format === 'date-time') delete schema.pattern;
  if ('example' in schema && schema.type !== undefined && typeof schema.example !== 'object') {
    schema.examples = [schema.example];
    delete schema.example;
  }
  // These are the bounds of every safe integer, so they say nothing.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (def.type === 'undefined') schema.not = {};
}

/** Describes `documentedForms` for Posthorn's own libraries: other generators do not read `x-forms`. */
function tellForms(schema: z.core.JSONSchema.BaseSchema, write: (schema: z.ZodType) => JsonObject): void {
  if (schema.forms === undefined) return;
  const { name, forms } = schema.forms as Forms;
  delete schema.forms;
  schema['x-forms'] = Array.isArray(forms)
    ? { name, anyOf: forms.map(write) }
    : { name, byType: Object.fromEntries(Object.entries(forms).map(([type, form]) => [type, write(form)])) };
}

type Forms = { name: string; forms: z.ZodType[] | Record<string, z.ZodType> };

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The keywords that a schema keeps when another one describes it. */
const KEPT_BESIDE = new Set(['default', 'description']);
