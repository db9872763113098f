import type { FieldProblem, FieldRule } from '@posthorn/contract/errors';
import { fieldPath } from '@posthorn/contract/field-path';
import { plainName } from '@posthorn/runtime/nearest-name';
import type { Request } from 'express';
import { z } from 'zod';
import { MAX_PROBLEMS, refuseProblems } from '../transport/error.ts';
import { type UnknownField, unknownFieldMessage, unknownFields } from './unknown-fields.ts';

/** The parts of a request that name a fault differently. */
type Place = 'query' | 'body';

/** A part of a request after it was compared with its schema. Use `data` only if there are no problems. */
export type Examined = { data: unknown; faults: FieldProblem[]; unknown: UnknownField[]; place: Place };

/**
 * Parses a whole input. All problems become one `validation_error` that names the fields and the rules: `url is
 * required`, `config.timeoutSeconds must be 1 to 30`, `Unknown field "dryrun"; did you mean "dryRun"?`.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const examined = examine(schema, input, 'body');
  refuseExamined([examined]);
  // Without a problem it is the output of the schema.
  return examined.data as z.output<Schema>;
}

/** The problems of a request's headers. */
export type HeaderProblems = { faults: readonly FieldProblem[]; unknown: readonly FieldProblem[] };

const NO_PROBLEMS: HeaderProblems = { faults: [], unknown: [] };

/** Throws the problems of all parts: faults of known fields first, then unknown fields. */
export function refuseExamined(parts: readonly Examined[], headers = NO_PROBLEMS): void {
  const unknown = parts.flatMap((part) => part.unknown.map((one) => unknownProblem(one, part.place)));
  refuseProblems([...parts.flatMap(({ faults }) => faults), ...headers.faults, ...unknown, ...headers.unknown]);
}

function unknownProblem(unknown: UnknownField, place: Place): FieldProblem {
  const message = unknownFieldMessage(unknown, place === 'query' ? 'query parameter' : 'field');
  return { field: fieldAt(unknown.path, place), message, rule: 'unknown' };
}

/** Compares a JSON body with its schema. Without a schema, it must be absent or have no fields. */
export function examineBody(schema: z.ZodType | undefined, body: unknown): Examined {
  if (schema !== undefined) return examine(schema, body, 'body');
  const none: Examined = { data: undefined, faults: [], unknown: [], place: 'body' };
  if (body === undefined || body === null) return none;
  if (typeof body !== 'object') return { ...none, faults: [{ field: 'body', message: NO_BODY }] };
  const keys = Object.keys(body);
  if (Array.isArray(body) && keys.length > 0) return { ...none, faults: [{ field: 'body', message: NO_BODY }] };
  return { ...none, unknown: keys.slice(0, MAX_PROBLEMS).map((key) => ({ path: [key], known: [] })) };
}

const NO_BODY = 'The body must be empty: this operation takes none';

/** Compares a query string with its schema. Without a schema, it must be empty. */
export function examineQuery(schema: z.ZodType | undefined, query: Request['query']): Examined {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {};
  const known = Object.keys(shape).filter((name) => !isRepeatable(shape[name]));
  // A known parameter that is given twice is refused: to choose one value would be a guess.
  const isTaken = ([name, value]: [string, unknown]) => typeof value === 'string' || !known.includes(name);
  // Not by assignment, which would lose a parameter named `__proto__`.
  const taken = Object.entries(query).filter(isTaken);
  const single = Object.fromEntries(
    taken.map(([name, value]) => [name, isRepeatable(shape[name]) && typeof value === 'string' ? [value] : value]),
  );
  const faults = Object.entries(query)
    .filter((one) => !isTaken(one))
    .slice(0, MAX_PROBLEMS)
    .map(([name]) => ({ field: fieldAt([name], 'query'), message: `${fieldPath([name])} must be given once` }));
  if (schema !== undefined) {
    const examined = examine(schema, single, 'query');
    // The schema did not get parameters that were given twice. Leave out its faults, which call them absent.
    const others = examined.faults.filter(({ field }) => !faults.some((fault) => fault.field === field));
    return { ...examined, faults: [...faults, ...others] };
  }
  const unknown = Object.keys(single).slice(0, MAX_PROBLEMS);
  return { data: undefined, faults, unknown: unknown.map((key) => ({ path: [key], known: [] })), place: 'query' };
}

/** Whether a parameter may be given several times: its schema is an optional array. */
function isRepeatable(schema: z.core.$ZodType | undefined): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodArray;
}

/** Adds where the operation takes a field that was sent in the query, or a parameter that was sent in the body. */
export function withOtherPart(examined: Examined, other: z.ZodType | undefined): Examined {
  const names = other instanceof z.ZodObject ? Object.keys(other.shape) : [];
  const where = examined.place === 'query' ? 'is a field of the body' : 'is a query parameter';
  const unknown = examined.unknown.map((one) => {
    const given = plainName(String(one.path[0]));
    const name = one.path.length === 1 ? names.find((known) => plainName(known) === given) : undefined;
    return name === undefined ? one : { ...one, otherPart: `"${name}" ${where}` };
  });
  return { ...examined, unknown };
}

function examine(schema: z.ZodType, input: unknown, place: Place): Examined {
  const parsed = schema.safeParse(input);
  const issues = parsed.error?.issues.flatMap(issuesOf).filter(({ code }) => code !== 'unrecognized_keys') ?? [];
  return {
    data: parsed.data,
    faults: issues.slice(0, MAX_PROBLEMS).map((issue) => ({
      field: fieldAt(issue.path, place),
      message: describe(issue, input),
      rule: wordOf(issue, input),
    })),
    unknown: unknownFields(schema, input),
    place,
  };
}

/** A value may have several forms: returns the issues of the form that has the type of the value. */
function issuesOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const misses = (alternative: z.core.$ZodIssue[], codes: readonly string[]) =>
    alternative.some(({ path, code }) => path.length === 0 && codes.includes(code));
  const meant =
    issue.errors.find((alternative) => !misses(alternative, ['invalid_type', 'invalid_value'])) ??
    issue.errors.find((alternative) => !misses(alternative, ['invalid_type']));
  return meant?.flatMap((inner) => issuesOf({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function fieldAt(path: readonly PropertyKey[], place: Place): string {
  if (path.length === 0) return place;
  return fieldPath(place === 'query' ? ['query', ...path] : path);
}

function describe(issue: z.core.$ZodIssue, input: unknown): string {
  const field = fieldPath(issue.path) || 'The body';
  const rule = ruleOf(issue, input);
  // A rule that is a whole sentence needs no field name before it.
  return /^[A-Z]/.test(rule) ? rule : `${field} ${rule}`;
}

/** The words for the rules that programs tell apart by zod's code. */
const WORDS: Readonly<Partial<Record<z.core.$ZodIssue['code'], FieldRule>>> = {
  invalid_type: 'type',
  invalid_union: 'type',
  invalid_value: 'value',
  too_big: 'length',
  too_small: 'length',
};

/** The rule as a word. A custom check names it in its `params`. */
function wordOf(issue: z.core.$ZodIssue, input: unknown): FieldRule | undefined {
  if (issue.code === 'custom') return issue.params?.rule;
  if (valueAt(input, issue.path) === undefined) return 'required';
  // An empty text counts as missing.
  if (issue.code === 'too_small' && valueAt(input, issue.path) === '') return 'required';
  return WORDS[issue.code];
}

function ruleOf(issue: z.core.$ZodIssue, input: unknown): string {
  if (valueAt(input, issue.path) === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input') ? `must be ${withArticle(issue.expected)}` : issue.message;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'has a key that is not allowed';
    case 'invalid_union':
      return issue.message.startsWith('Invalid input') ? 'has the wrong type' : issue.message;
    default:
      return issue.message.replace(/^(Invalid|Too)/, (word) => `is ${word.toLowerCase()}`);
  }
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function withArticle(type: string): string {
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
