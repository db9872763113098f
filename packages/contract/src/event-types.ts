import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { description, id, idReference, jsonValue, LONE_SURROGATE, nestsAtMost, timestamp } from './primitives.ts';

/** The name of an event type: dot-notation in lower case, immutable. */
export const eventTypeName = z
  .string()
  .max(LIMITS.eventTypeNameCharacters, `must be at most ${LIMITS.eventTypeNameCharacters} characters`)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, 'must be dot-notation of lowercase letters, digits and underscores');

/** A field of the interface that this version does not support: refused, never silently ignored. */
const notYet = z.null('is not supported yet').optional().meta({ documentedAs: z.undefined() });

/** A field that a later version fills. */
const reserved = z.record(z.string(), z.unknown()).nullable().meta({ description: 'Null in this version.' });

/** Whether each text in a JSON value is Unicode. Postgres stores no other. */
function hasOnlyText(value: unknown): boolean {
  let isText = true;
  JSON.stringify(value, (key, one) => {
    isText &&= !LONE_SURROGATE.test(key) && !(typeof one === 'string' && LONE_SURROGATE.test(one));
    return one;
  });
  return isText;
}

/** A payload that test deliveries send: any JSON value; null clears it. */
const example = jsonValue
  .refine((value) => nestsAtMost(value, LIMITS.configLevels), {
    message: `must be nested at most ${LIMITS.configLevels} levels deep`,
    abort: true,
  })
  .refine(hasOnlyText, 'must not contain lone surrogates')
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value ?? null)).length <= LIMITS.exampleBytes,
    'must be at most 64 KiB',
  );

export const eventType = z
  .object({
    id: id('evt'),
    name: z.string(),
    description: z.string().nullable(),
    schema: z.null().meta({ documentedAs: reserved }),
    example: jsonValue,
    createdAt: timestamp,
  })
  .meta({ id: 'EventType', description: 'A named category of event, shared by the whole workspace.' });

export const createEventTypeBody = z.object({
  name: eventTypeName,
  description: description.nullable().optional(),
  publishIn: z.array(idReference).max(LIMITS.environmentsPerWorkspace).optional(),
  schema: notYet,
  example: example.optional(),
});

export const updateEventTypeBody = z.object({
  description: description.nullable().optional(),
  name: z.undefined('cannot be changed').optional(),
  schema: notYet,
  example: example.optional(),
});
