import { t } from '../language/language.ts';
/** A line of a JSON Schema, for people. */
export type SchemaRow = {
  /** The path in the payload: `lines[].sku`. */
  place: string;
  type: string;
  isRequired: boolean;
  description: string;
};

type Schema = Record<string, unknown>;

const MAX_ROWS = 200;
const MAX_LEVELS = 6;

/** The properties of a JSON Schema, in its order. The properties of objects and lists follow them. */
export function schemaRows(schema: Schema): SchemaRow[] {
  const rows: SchemaRow[] = [];
  addRows(rows, schema, { root: schema, place: '', level: 0 });
  return rows;
}

type Place = { root: Schema; place: string; level: number };

function addRows(rows: SchemaRow[], given: Schema, { root, place, level }: Place): void {
  const schema = follow(root, given);
  if (level > MAX_LEVELS) return;
  if (isObject(schema.items)) addRows(rows, schema.items, { root, place: `${place}[]`, level: level + 1 });
  if (!isObject(schema.properties)) return;
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, value] of Object.entries(schema.properties)) {
    if (rows.length >= MAX_ROWS) return;
    const property = isObject(value) ? follow(root, value) : {};
    const below = place === '' ? name : `${place}.${name}`;
    const description = typeof property.description === 'string' ? property.description : '';
    rows.push({ place: below, type: typeOf(root, property), isRequired: required.includes(name), description });
    addRows(rows, property, { root, place: below, level: level + 1 });
  }
}

/** The type in words, with the values of an enum. Nested lists end after some levels. */
function typeOf(root: Schema, schema: Schema, level = 0): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : schema.type;
  if (type === 'array' && isObject(schema.items) && level < MAX_LEVELS)
    return t('list of {type}', { type: typeOf(root, follow(root, schema.items), level + 1) });
  if (typeof type !== 'string') return t('any');
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type;
}

/** The target of a reference within the document; the schema itself if it has none. */
function follow(root: Schema, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema;
  let target: unknown = root;
  for (const key of $ref.slice(2).split('/')) {
    target = isObject(target) ? target[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return isObject(target) ? { ...target, ...schema, $ref: undefined } : schema;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
