// Makes the fields of a form from the JSON Schema of an endpoint type: docs/interface/endpoints.md, Endpoint types.

import { entriesOf, type Field } from '../draft.ts';

export type SchemaField = {
  name: string;
  label: string;
  description: string;
  /** `list` is a text with one entry on each line, and `long` a text of several lines. */
  control: 'text' | 'long' | 'list' | 'number' | 'switch' | 'choice';
  /** True if the value is never shown. */
  isSecret: boolean;
  isRequired: boolean;
  placeholder: string;
  preset: string | boolean;
  choices: string[];
};

type Typed = string | number | boolean | null;

/** The typed values, by field name. Null removes a stored credential. */
export type SchemaDraft = Record<string, Typed>;

type Schema = Readonly<Record<string, unknown>> | null | undefined;

/** A text that may be longer than this gets several lines: it is a certificate, a key or a file. */
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

/**
 * The shape of a draft that shows a value, or else the defaults. An empty field is left out of the value. The service
 * checks the rest.
 */
export function shapeOf(fields: readonly SchemaField[]): Record<string, Field<Typed>> {
  return Object.fromEntries(fields.map((one) => [one.name, { read: readBy(one), write: writeBy(one) }]));
}

function readBy({ control, preset }: SchemaField) {
  return (value: unknown): Typed => {
    if (value === undefined) return preset;
    return control === 'switch' ? value === true : textIn(value);
  };
}

function writeBy({ control }: SchemaField) {
  return (typed: Typed): unknown => {
    if (typeof typed === 'boolean') return typed;
    const text = control === 'long' ? textIn(typed) : textIn(typed).trim();
    if (text.trim() === '') return undefined;
    if (control === 'number') return Number(text);
    return control === 'list' ? entriesOf(text, '\n') : text;
  };
}

/** The change to stored credentials: a typed value replaces one, null removes one, and an empty field keeps one. */
export function changeOf(fields: readonly SchemaField[], draft: SchemaDraft): Record<string, string | null> {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, string | null][] => {
      const typed = draft[name];
      return typed === null || (typeof typed === 'string' && typed !== '') ? [[name, typed]] : [];
    }),
  );
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
