import { z } from 'zod';
import { LIMITS } from './limits.ts';

export const CONTROL_OR_LONE_SURROGATE = /[\p{Cc}\p{Cs}]/u;
export const LONE_SURROGATE = /\p{Cs}/u;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
/** The rule against control characters, as a pattern that the regular expressions of every language understand. */
const NO_CONTROL_PATTERN = String.raw`^[^\x00-\x1f\x7f-\x9f]*$`;

const bounded = (string: z.ZodString, least: number, most: number) =>
  string
    .refine((value) => !CONTROL_OR_LONE_SURROGATE.test(value), 'must not contain control characters or lone surrogates')
    .refine((value) => value.length >= least && [...value].length <= most, {
      message: least === 0 ? `must be at most ${most} characters` : `must be ${least} to ${most} characters`,
      params: { rule: 'length' },
    })
    .meta({ minLength: least, maxLength: most, pattern: NO_CONTROL_PATTERN });

/** Text of a limited number of characters (code points), without control characters and lone surrogates. */
export const text = (least: number, most: number) => bounded(z.string(), least, most);

/** Text for people, in NFC: texts that look the same are equal, so a search finds both. */
export const wordsOf = (least: number, most: number) => bounded(z.string().normalize('NFC'), least, most);

/** A visible character: not white space, and nothing that fonts draw as empty. U+2800 is the blank Braille cell. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800]/u;

/** A display name: 1–200 characters, at least one of them visible. */
export const name = wordsOf(1, LIMITS.nameCharacters)
  .refine((value) => value === '' || VISIBLE.test(value), 'must have a visible character')
  .meta({ minLength: 1, maxLength: LIMITS.nameCharacters, pattern: NO_CONTROL_PATTERN });

/** A description: at most 1,000 characters. */
export const description = wordsOf(0, LIMITS.descriptionCharacters);

/** `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 50 characters. */
export const slug = z
  .string()
  .max(LIMITS.slugCharacters, `must be at most ${LIMITS.slugCharacters} characters`)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters and digits, with single hyphens between them');

/** Visible ASCII without spaces, of 1 to `most` characters. */
export const visibleAscii = (most: number) =>
  z
    .string()
    .max(most, `must be 1 to ${most} visible ASCII characters`)
    .regex(VISIBLE_ASCII, `must be 1 to ${most} visible ASCII characters`);

/** A public id in an answer. */
export const id = (prefix: string) => z.string().meta({ example: `${prefix}_01jczhk8m3fd8tqv5x0w2b9n4e` });

/** The description of a credential in the answer that creates it. */
export const shownOnce = (name: string, form: string) =>
  `The ${name}, \`${form}\`. It is shown only once. Null if an \`Idempotency-Key\` repeats a creation of more than ten minutes ago.`;

/** An id in a request. Its form is not checked here: an unknown id is `not_found`. */
export const idReference = z.string().min(1, 'must be at least 1 character');

/** A UTC time with milliseconds and `Z`. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-21T09:30:00.000Z' });

const WITH_OFFSET = z.iso.datetime({ offset: true });
const DECODED_PLUS = 'has a space instead of the plus of its offset: write %2B for a plus in a URL';

/**
 * An ISO 8601 date-time with an offset, as a caller sends it. A fraction of a second may have any number of digits.
 * Some operations keep and show the text, so its length is limited.
 */
export const offsetDateTime = dateTimeOf('must be an ISO 8601 date-time with an offset');

/** The rule that a list's `from` is not after its `to`. */
export const inOrder = {
  isMet: ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
    from === undefined || to === undefined || Date.parse(from) <= Date.parse(to),
  fault: { path: ['from'], message: 'must not be after to' },
};

/** A date-time with an offset, as RFC 3339 allows it: the letters may be in lower case. */
export function dateTimeOf(rule: string) {
  return z
    .string()
    .toUpperCase()
    .superRefine((value, context) => {
      if (WITH_OFFSET.safeParse(value).success) return;
      const isDecodedPlus = value.at(-6) === ' ' && WITH_OFFSET.safeParse(withPlus(value)).success;
      context.addIssue({ code: 'custom', message: isDecodedPlus ? DECODED_PLUS : rule });
    })
    .max(LIMITS.dateTimeCharacters, `must be at most ${LIMITS.dateTimeCharacters} characters`)
    .meta({ format: 'date-time' });
}

function withPlus(value: string): string {
  return `${value.slice(0, -6)}+${value.slice(-5)}`;
}

/** The page cursor from the previous answer. */
export const cursor = z.string();

/** A boolean in a query: `true` or `false`. */
export const queryFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .meta({ documentedAs: z.boolean() });

/** The page size in a query: a whole number from 1 to 100. */
export const pageLimitGiven = z
  .string()
  .regex(/^\d{1,6}$/, `must be a number from 1 to ${LIMITS.deliveriesPageMost}`)
  .transform(Number)
  .refine(
    (value) => value >= 1 && value <= LIMITS.deliveriesPageMost,
    `must be a number from 1 to ${LIMITS.deliveriesPageMost}`,
  )
  .meta({ documentedAs: z.int().min(1).max(LIMITS.deliveriesPageMost) });

/** The page size in a query; 50 by default. */
export const pageLimit = pageLimitGiven.default(LIMITS.deliveriesPageDefault);

/** Page parameters. Without both, the answer has the whole array. */
export const pageFields = {
  limit: pageLimitGiven
    .optional()
    .meta({ description: 'The page size. Without `limit` and `cursor`, the whole array is returned.' }),
  cursor: cursor.optional().meta({ description: 'The cursor from the `Link` header of the previous page.' }),
};
export const pageQuery = z.object(pageFields);
export type PageQuery = z.output<typeof pageQuery>;
/** Any JSON value. Its size and depth are not checked here. */
export const jsonValue = z.unknown().meta({ description: 'Any JSON value.' });

/**
 * Whether a JSON value has at most this many levels. It works level by level, because recursion could overflow the
 * stack on hostile input.
 */
export function nestsAtMost(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}

type Lengths = { least?: number; most: number; rule: string };

/**
 * An array in a request. The length is checked first, because zod looks at every item and makes an issue for each
 * fault: up to a second for an array as long as a body.
 */
export const arrayOf = <Item extends z.ZodType>(item: Item, { least = 0, most, rule }: Lengths) => {
  const items = z.array(item);
  return z
    .array(z.unknown())
    .min(least, rule)
    .max(most, rule)
    .pipe(items)
    .meta({ documentedAs: least === 0 ? items.max(most) : items.min(least).max(most) });
};

/** An object with any keys in a request. The number of pairs is checked first, as in `arrayOf`. */
export const recordOf = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { most, rule }: Omit<Lengths, 'least'>,
) => {
  const pairs = z.record(key, value);
  return z
    .record(z.string(), z.unknown())
    .refine((given) => Object.keys(given).length <= most, rule)
    .pipe(pairs)
    .meta({ documentedAs: pairs.meta({ maxProperties: most }) });
};

/** An object of at most five pairs with keys of 1–40 characters. */
export const metadataOf = <Value extends z.ZodType>(value: Value) =>
  recordOf(text(1, LIMITS.metadataKeyCharacters), value, {
    most: LIMITS.metadataPairs,
    rule: `must have at most ${LIMITS.metadataPairs} pairs`,
  });

/**
 * Documents a value that has several forms. The OpenAPI document names them in words, because client generators
 * disagree on unions. Our own client libraries read the forms.
 */
export function documentedForms(name: string, description: string, forms: readonly z.ZodType[]) {
  return z.unknown().meta({ description, forms: { name, forms } });
}

const TERMS_RULE = `must have at most ${LIMITS.searchTerms} items`;
const term = z
  .string()
  .min(1, 'must be at least 1 character')
  .max(LIMITS.searchTermCharacters, `must be at most ${LIMITS.searchTermCharacters} characters`)
  .meta({ example: 'order_id:order_1002' });

/** The values that an event must have, in a query. The parameter may be repeated. */
export const searchQuery = z.array(term).max(LIMITS.searchTerms, TERMS_RULE).optional();

/** The values that an event must have, in a body. */
export const searchTerms = arrayOf(term, {
  least: 1,
  most: LIMITS.searchTerms,
  rule: `must have 1 to ${LIMITS.searchTerms} items`,
}).meta({
  description:
    'The values to search for. Each is `name:value` for one search key, or a value that is looked up in every search key. An event must match all of them.',
});

/** The page size in a body; 50 by default. */
export const bodyPageLimit = z.int().min(1).max(LIMITS.deliveriesPageMost).default(LIMITS.deliveriesPageDefault);
