import { z } from 'zod';
import { MAX_PROBLEMS } from './error.ts';
import { fieldPath } from './field-path.ts';
import { nearestName } from './nearest-name.ts';

/** A key of the input that the schema of its object does not have. */
export type UnknownField = { path: PropertyKey[]; known: readonly string[] };

/**
 * The keys of the input, at any depth, that the schema does not know; at most as many as an answer tells. It looks into
 * what the schema describes: a map with any keys and a value of any form are the caller's own.
 */
export function unknownFields(schema: z.core.$ZodType, input: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  visit(schema, input, [], found);
  return found;
}

/** `Unknown field "config.dryrun"; did you mean "config.dryRun"?` */
export function unknownFieldMessage({ path, known }: UnknownField, kind: 'field' | 'query parameter'): string {
  const near = nearestName(String(path.at(-1)), known);
  const hint = near === undefined ? '' : `; did you mean "${fieldPath([...path.slice(0, -1), near])}"?`;
  return `Unknown ${kind} "${fieldPath(path)}"${hint}`;
}

function visit(schema: z.core.$ZodType, input: unknown, path: PropertyKey[], found: UnknownField[]): void {
  if (typeof input !== 'object' || input === null || found.length >= MAX_PROBLEMS) return;
  if (schema instanceof z.ZodObject) visitObject(schema, input, path, found);
  else if (schema instanceof z.ZodArray) visitItems(schema.element, input, path, found);
  else if (schema instanceof z.ZodRecord) visitValues(schema.valueType, input, path, found);
  else if (schema instanceof z.ZodUnion) found.push(...fewestOf(schema.options, input, path));
  else if (schema instanceof z.ZodPipe) {
    visit(schema.in, input, path, found);
    if (!(schema.out instanceof z.ZodTransform)) visit(schema.out, input, path, found);
  } else {
    const inner = innerType(schema);
    if (inner !== undefined) visit(inner, input, path, found);
  }
}

function visitObject(schema: z.ZodObject, input: object, path: PropertyKey[], found: UnknownField[]): void {
  if (Array.isArray(input)) return;
  const { shape } = schema;
  for (const [key, value] of Object.entries(input)) {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field !== undefined) visit(field, value, [...path, key], found);
    else if (found.length < MAX_PROBLEMS) found.push({ path: [...path, key], known: Object.keys(shape) });
  }
}

/** A longer list is refused for its length. */
const MAX_ITEMS = 1_000;

function visitItems(item: z.core.$ZodType, input: object, path: PropertyKey[], found: UnknownField[]): void {
  if (!Array.isArray(input)) return;
  for (const [index, value] of input.slice(0, MAX_ITEMS).entries()) visit(item, value, [...path, index], found);
}

function visitValues(schema: z.core.$ZodType, input: object, path: PropertyKey[], found: UnknownField[]): void {
  if (Array.isArray(input)) return;
  for (const [key, value] of Object.entries(input).slice(0, MAX_ITEMS)) visit(schema, value, [...path, key], found);
}

/** The caller meant the alternative that fits, or else the one with the fewest unknown keys. */
function fewestOf(options: readonly z.core.$ZodType[], input: object, path: PropertyKey[]): UnknownField[] {
  const fitting = options.filter((option) => z.safeParse(option, input).success);
  const tried = (fitting.length > 0 ? fitting : options).map((option) => {
    const found: UnknownField[] = [];
    visit(option, input, path, found);
    return found;
  });
  return tried.sort((a, b) => a.length - b.length)[0] ?? [];
}

function innerType(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodLazy) return schema.unwrap();
  const { def } = schema._zod;
  return 'innerType' in def ? (def.innerType as z.core.$ZodType) : undefined;
}
