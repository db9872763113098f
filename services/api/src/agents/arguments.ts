import { LIMITS } from '@posthorn/contract/limits';
import { offsetDateTime } from '@posthorn/contract/primitives';
import { z } from 'zod';

// The arguments that several tools share.

const reference = (description: string) =>
  z.string().min(1, 'must not be empty').max(300, 'must be at most 300 characters').describe(description);

export const eventId = reference('An event, such as msg_01h….');
export const deliveryId = reference('A delivery, such as dlv_01h….');
export const endpointId = reference('An endpoint: ep_…, or ext: and its externalId.');
/** One endpoint, for an operation that has it in its path. */
export const endpoint = {
  endpoint_id: endpointId,
  environment_id: reference(
    'The environment, such as env_01h…. Required if several environments have an endpoint with this ext: id.',
  ).optional(),
};

export const environmentId = reference(
  'An environment, such as env_01h…. Defaults to all environments that the credential can access.',
);
export const applicationId = reference('An application: app_…, or ext: and its externalId.');
export const eventTypeName = z
  .string()
  .min(1, 'must not be empty')
  .max(LIMITS.eventTypeNameCharacters, `must be at most ${LIMITS.eventTypeNameCharacters} characters`)
  .refine((text) => !text.includes('\0'), 'must not contain U+0000')
  .describe('The name of an event type, such as order.paid.');

const AGE = /^\d{1,4}[mhd]$/;
const MOMENT = 'must be an age such as 30m, 2h or 7d, or an ISO 8601 date-time with an offset';

/** A point in time: an age, or a date-time. `momentOf` reads it. */
export const moment = (description: string) =>
  z
    .string()
    .refine((text) => AGE.test(text) || offsetDateTime.safeParse(text).success, MOMENT)
    .describe(`${description}: an age such as 30m, 2h or 7d, or an ISO 8601 date-time with an offset.`);

export const limit = z
  .int('must be a whole number from 1 to 20')
  .min(1, 'must be a whole number from 1 to 20')
  .max(20, 'must be a whole number from 1 to 20')
  .default(10)
  .describe('The maximum number of items to return.');

export const cursor = z
  .string()
  .max(4_000, 'must be at most 4000 characters')
  .optional()
  .describe('The next_cursor of the previous response. Keep the other arguments unchanged.');

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The ISO 8601 form of a moment; undefined without one. */
export function momentOf(text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  if (!AGE.test(text)) return text;
  const unit = text.slice(-1) as keyof typeof UNIT_MS;
  return new Date(now.getTime() - Number(text.slice(0, -1)) * UNIT_MS[unit]).toISOString();
}
