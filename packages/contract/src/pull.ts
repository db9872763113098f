import { z } from 'zod';
import { expiresAt } from './credentials.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, id, name, shownOnce, text, timestamp } from './primitives.ts';

/** A credential with which consumers fetch the deliveries of one endpoint (docs/interface.md, Pull). */
export const pullKey = z
  .object({
    id: id('plk'),
    name: z.string(),
    keyPreview: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'PullKey', description: 'A credential with which consumers fetch from one endpoint.' });

export const shownPullKey = z
  .string()
  .nullable()
  .meta({ description: shownOnce('phpl_…') });

/** The key itself is in no other answer. */
export const createdPullKey = pullKey.extend({ pullKey: shownPullKey }).meta({ id: 'CreatedPullKey' });

export const createPullKeyBody = z.object({ name: name.optional(), expiresAt: expiresAt.optional() });

/** What waits at an endpoint for its consumers. */
export const pullStatus = z
  .object({
    waiting: z.int().meta({ description: 'Messages that can be leased now or later, up to 10,000.' }),
    oldestAgeSeconds: z
      .number()
      .nullable()
      .meta({ description: 'How long the first of them has been due; null when none waits.' }),
    lastLeaseAt: timestamp.nullable(),
  })
  .meta({ id: 'PullStatus', description: 'What waits for the consumers of an endpoint.' });

const whole = (least: number, most: number) => {
  const rule = `must be ${least} to ${most.toLocaleString('en')}`;
  return z.int('must be a whole number').min(least, rule).max(most, rule);
};

const leaseSeconds = whole(5, 900);

export const leaseBody = z
  .object({
    max: whole(1, LIMITS.leasedAtOnce).default(10).meta({ description: 'The most messages in the answer.' }),
    waitSeconds: whole(0, 30)
      .default(0)
      .meta({ description: 'While nothing can be leased, the answer waits so long for the first message.' }),
    leaseSeconds: leaseSeconds
      .default(30)
      .meta({ description: 'After this time without an answer, a message goes to the next consumer.' }),
  })
  .meta({ id: 'LeaseBody' });

const leaseToken = z.string().meta({ description: 'Names the lease. Give it back with each answer.' });

export const leasedMessage = z
  .object({
    deliveryId: id('dlv'),
    leaseToken,
    leasedUntil: timestamp,
    attemptNumber: z.int(),
    eventId: id('msg'),
    eventType: z.string().nullable(),
    createdAt: timestamp,
    orderingKey: z.string().nullable(),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The headers of a webhook, `webhook-signature` included.' }),
    body: z.string().meta({ description: 'The bytes that are signed, in base64.' }),
  })
  .meta({ id: 'LeasedMessage', description: 'A delivery that a consumer holds.' });

export const leaseAnswer = z
  .object({
    messages: z.array(leasedMessage),
    waiting: pullStatus.shape.waiting,
    oldestAgeSeconds: pullStatus.shape.oldestAgeSeconds,
  })
  .meta({ id: 'LeaseAnswer', description: 'What a consumer has leased, and what waits besides.' });

const responseBody = z
  .string()
  .refine(
    (value) => new TextEncoder().encode(value).length <= LIMITS.responseBodyBytes,
    `must be at most ${LIMITS.responseBodyBytes / 1_024} KiB`,
  )
  .meta({ description: 'Kept with the attempt, as the body of an answer to a webhook.' });

const lease = { deliveryId: text(1, 100), leaseToken: text(1, 100) };

const messagesOf = <Message extends z.ZodType>(message: Message) =>
  z.object({
    messages: arrayOf(message, {
      least: 1,
      most: LIMITS.leasedAtOnce,
      rule: `must have 1 to ${LIMITS.leasedAtOnce} messages`,
    }),
  });

export const ackBody = messagesOf(
  z
    .object({ ...lease, responseStatus: whole(200, 299).optional(), responseBody: responseBody.optional() })
    .meta({ id: 'AckedMessage' }),
).meta({ id: 'AckBody' });

export const nackBody = messagesOf(
  z
    .object({
      ...lease,
      delaySeconds: whole(0, 86_400).optional().meta({
        description: 'The time until it is due again. Without it, the retry schedule of the endpoint counts.',
      }),
      responseStatus: whole(100, 599).optional(),
      responseBody: responseBody.optional(),
      reason: text(1, 200).optional().meta({ description: 'In words for people, why it could not be processed.' }),
    })
    .meta({ id: 'NackedMessage' }),
).meta({ id: 'NackBody' });

export const extendBody = messagesOf(
  z
    .object({ ...lease, leaseSeconds: leaseSeconds.meta({ description: 'The new length of the lease, from now.' }) })
    .meta({ id: 'ExtendedMessage' }),
).meta({ id: 'ExtendBody' });

const result = z.enum(['settled', 'lease_lost']);

export const leaseResults = z
  .object({
    results: z.array(z.object({ deliveryId: z.string(), result }).meta({ id: 'LeaseResult' })),
  })
  .meta({
    id: 'LeaseResults',
    description: 'For each message, in the order of the request, whether the lease counted.',
  });

export const extendResults = z
  .object({
    results: z.array(
      z.object({ deliveryId: z.string(), result, leasedUntil: timestamp.nullable() }).meta({ id: 'ExtendResult' }),
    ),
  })
  .meta({ id: 'ExtendResults', description: 'For each message, in the order of the request, its new end.' });
