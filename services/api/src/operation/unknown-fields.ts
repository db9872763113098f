import { fieldPath } from '@posthorn/contract/field-path';
import { nearestName, plainName } from '@posthorn/runtime/nearest-name';
import { z } from 'zod';
import { MAX_PROBLEMS } from '../transport/error.ts';

/**
 * A key of the input that the schema of its object does not have. `elsewhere` is the path at which the schema has it.
 * `otherPart` says in words in which other part of the request it belongs.
 */
export type UnknownField = {
  path: PropertyKey[];
  known: readonly string[];
  elsewhere?: PropertyKey[];
  otherPart?: string;
};

/**
 * The keys of the input, at any depth, that the schema does not know; at most as many as an error names. It looks only
 * into what the schema describes: the keys of a map and a value of any form are the caller's own.
 */
export function unknownFields(schema: z.core.$ZodType, input: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  visit(schema, input, [], found);
  const root = shapesOf(schema);
  return found.map((one) => ({ ...one, ...placeElsewhere(root, one) }));
}

/** `Unknown field "config.dryrun"; did you mean "config.dryRun"?` */
export function unknownFieldMessage(
  { path, known, elsewhere, otherPart }: UnknownField,
  kind: 'field' | 'query parameter',
): string {
  const near = nearestName(String(path.at(-1)), known);
  const meant = near === undefined ? elsewhere : [...path.slice(0, -1), near];
  if (near === undefined && otherPart !== undefined) return `Unknown ${kind} "${fieldPath(path)}": ${otherPart}`;
  const hint = meant === undefined ? '' : `; did you mean "${fieldPath(meant)}"?`;
  return `Unknown ${kind} "${fieldPath(path)}"${hint}`;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The fields of the objects that a schema describes itself, without items of lists. */
function shapesOf(schema: z.core.$ZodType): Shape[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodPipe) return [...shapesOf(schema.in), ...shapesOf(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf);
  const inner = innerType(schema);
  return inner === undefined ? [] : shapesOf(inner);
}

/** Finds the same name one level deeper, or beside one of the objects around it. */
function placeElsewhere(root: readonly Shape[], { path }: UnknownField): { elsewhere?: PropertyKey[] } {
  const plain = plainName(String(path.at(-1)));
  const nameIn = (shapes: readonly Shape[]) =>
    shapes.flatMap((shape) => Object.keys(shape)).find((name) => plainName(name) === plain);
  const levels = [root];
  for (const key of path.slice(0, -1)) {
    // Items of lists have names of their own.
    const inner = typeof key === 'string' ? fieldsNamed(levels.at(-1) ?? [], key).flatMap(shapesOf) : [];
    levels.push(inner);
  }
  const own = levels.at(-1) ?? [];
  for (const field of new Set(own.flatMap((shape) => Object.keys(shape)))) {
    const name = nameIn(fieldsNamed(own, field).flatMap(shapesOf));
    if (name !== undefined) return { elsewhere: [...path.slice(0, -1), field, name] };
  }
  for (let level = levels.length - 2; level >= 0; level -= 1) {
    const name = nameIn(levels[level] ?? []);
    if (name !== undefined) return { elsewhere: [...path.slice(0, level), name] };
  }
  return {};
}

function fieldsNamed(shapes: readonly Shape[], name: string): z.core.$ZodType[] {
  return shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? (shape[name] ?? []) : []));
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
