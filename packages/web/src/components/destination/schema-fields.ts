// The fields of a form, from the JSON Schema of a type of endpoint: docs/interface/endpoints.md, Endpoint types.

export type SchemaField = {
  name: string;
  label: string;
  description: string;
  /** `list` is a text with one entry in each line, and `long` a text of several lines. */
  control: 'text' | 'long' | 'list' | 'number' | 'switch' | 'choice';
  /** Whether the value is never shown. */
  isSecret: boolean;
  isRequired: boolean;
  placeholder: string;
  preset: string | boolean;
  choices: string[];
};

/** What is typed, by the fields' names. Null removes a stored credential. */
export type SchemaDraft = Readonly<Record<string, string | boolean | null>>;

type Schema = Readonly<Record<string, unknown>> | null | undefined;

/** Longer texts are certificates, keys and files. */
const LONG = 4_096;

export function fieldsOf(schema: Schema): SchemaField[] {
  const required = listOf(schema?.required);
  return Object.entries(objectOf(schema?.properties)).map(([name, value]) => {
    const property = objectOf(value);
    const control = controlOf(property);
    const example = listOf(property.examples)[0];
    return {
      name,
      label: textOf(property.title) || name,
      description: textOf(property.description),
      control,
      isSecret: property.writeOnly === true,
      isRequired: required.includes(name),
      placeholder: example === undefined ? '' : textIn(example),
      preset: control === 'switch' ? property.default === true : textIn(property.default),
      choices: listOf(property.enum).map(textIn),
    };
  });
}

function controlOf({ type, enum: choices, maxLength }: Record<string, unknown>): SchemaField['control'] {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  return typeof maxLength === 'number' && maxLength >= LONG ? 'long' : 'text';
}

/** The draft that shows a value, or the defaults. */
export function draftOf(fields: readonly SchemaField[], value?: unknown): SchemaDraft {
  const given = objectOf(value);
  return Object.fromEntries(
    fields.map(({ name, control, preset }) => {
      const present = given[name];
      if (present === undefined) return [name, preset];
      return [name, control === 'switch' ? present === true : textIn(present)];
    }),
  );
}

/** The value of a draft. An empty field is absent. The service checks the rest. */
export function valuesOf(fields: readonly SchemaField[], draft: SchemaDraft): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, control }): [string, unknown][] => {
      const typed = draft[name] ?? '';
      if (typeof typed === 'boolean') return [[name, typed]];
      const text = control === 'long' ? typed : typed.trim();
      if (text.trim() === '') return [];
      if (control === 'number') return [[name, Number(text)]];
      return [[name, control === 'list' ? linesOf(text) : text]];
    }),
  );
}

/** The change of stored credentials: what was typed replaces, null removes, and an empty field stays. */
export function changeOf(fields: readonly SchemaField[], draft: SchemaDraft): Record<string, string | null> {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, string | null][] => {
      const typed = draft[name];
      return typed === null || (typeof typed === 'string' && typed !== '') ? [[name, typed]] : [];
    }),
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function textIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return value === undefined || value === null ? '' : String(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
