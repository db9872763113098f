import type { z } from 'zod';
import { refuseChangedValues } from './changed-values.ts';
import { invalid } from './error.ts';

/**
 * Parses input. The first fault becomes a `validation_error` that names the field and the rule: `url is required`,
 * `config.timeoutSeconds must be 1 to 30`.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue === undefined ? 'The input is not valid' : describe(issue, input));
}

/**
 * The JSON value in a body that is stored as a value; `{}` when the body is absent. Refuses a value that storing would
 * change.
 */
export function parseJson(body: Buffer): unknown {
  const { value, text } = decodeJson(body);
  refuseChangedValues(text);
  return value;
}

/** The JSON value in a body that is stored as bytes. Of equal keys, the last one counts. */
export function parseWellFormedJson(body: Buffer): unknown {
  return decodeJson(body).value;
}

function decodeJson(body: Buffer): { value: unknown; text: string } {
  if (body.length === 0) return { value: {}, text: '' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { value: JSON.parse(text), text };
  } catch {
    // The parser's message would quote the body.
    throw invalid('The body must be well-formed JSON in UTF-8');
  }
}

function describe(issue: z.core.$ZodIssue, input: unknown): string {
  const field = issue.path.map(String).join('.') || 'The body';
  const rule = ruleOf(issue, input);
  // A rule that is a whole sentence needs no field name before it.
  return /^[A-Z]/.test(rule) ? rule : `${field} ${rule}`;
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
