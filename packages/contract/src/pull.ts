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
  .meta({ id: 'PullKey', description: 'A credential with which consumers fetch deliveries from one endpoint.' });

export const shownPullKey = z
  .string()
  .nullable()
  .meta({ description: shownOnce('pull key', 'phpl_…') });

/** A pull key on creation. No other answer has the key itself. */
export const createdPullKey = pullKey.extend({ pullKey: shownPullKey }).meta({ id: 'CreatedPullKey' });

export const createPullKeyBody = z.object({ name: name.optional(), expiresAt: expiresAt.nullable().optional() });

/** The deliveries that wait at an endpoint for its consumers. */
export const pullStatus = z
  .object({
    waiting: z.int().meta({ description: 'The number of messages that can be leased now or later, up to 10,000.' }),
    oldestAgeSeconds: z
      .number()
      .nullable()
      .meta({ description: 'How long the first of these messages has been due, in seconds. Null if none is waiting.' }),
    lastLeaseAt: timestamp.nullable(),
  })
  .meta({ id: 'PullStatus', description: 'The messages that are waiting for the consumers of an endpoint.' });

const whole = (least: number, most: number) => {
  const rule = `must be ${least} to ${most.toLocaleString('en')}`;
  return z.int('must be a whole number').min(least, rule).max(most, rule);
};

const leaseSeconds = whole(5, 900);

export const leaseBody = z
  .object({
    max: whole(1, LIMITS.leasedAtOnce).default(10).meta({ description: 'The maximum number of messages to return.' }),
    waitSeconds: whole(0, 30)
      .default(0)
      .meta({ description: 'The maximum time in seconds to wait for the first message if none can be leased.' }),
    leaseSeconds: leaseSeconds.default(30).meta({
      description:
        'The duration of the lease in seconds. A message that is not acknowledged, rejected or extended in time goes to the next consumer.',
    }),
  })
  .meta({ id: 'LeaseBody' });

const leaseToken = z.string().meta({ description: 'The token of the lease. Send it with each ack, nack and extend.' });

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
      .meta({ description: 'The headers of a webhook, including `webhook-signature`.' }),
    body: z.string().meta({ description: 'The signed bytes, in base64.' }),
  })
  .meta({ id: 'LeasedMessage', description: 'A delivery that a consumer has leased.' });

export const leaseAnswer = z
  .object({
    messages: z.array(leasedMessage),
    waiting: pullStatus.shape.waiting,
    oldestAgeSeconds: pullStatus.shape.oldestAgeSeconds,
  })
  .meta({
    id: 'LeaseAnswer',
    description: 'The leased messages, and the state of the messages that are still waiting.',
  });

const responseBody = z
  .string()
  .refine(
    (value) => new TextEncoder().encode(value).length <= LIMITS.responseBodyBytes,
    `must be at most ${LIMITS.responseBodyBytes / 1_024} KiB`,
  )
  .meta({ description: 'A text to store with the attempt, like the response body of a webhook.' });

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
        description:
          'The time in seconds until the message is due again. Defaults to the retry schedule of the endpoint.',
      }),
      responseStatus: whole(100, 599).optional(),
      responseBody: responseBody.optional(),
      reason: text(1, 200)
        .optional()
        .meta({ description: 'A human-readable reason why the message could not be processed.' }),
    })
    .meta({ id: 'NackedMessage' }),
).meta({ id: 'NackBody' });

export const extendBody = messagesOf(
  z
    .object({
      ...lease,
      leaseSeconds: leaseSeconds.meta({ description: 'The duration of the lease in seconds, from now.' }),
    })
    .meta({ id: 'ExtendedMessage' }),
).meta({ id: 'ExtendBody' });

const result = z.enum(['settled', 'lease_lost']);

export const leaseResults = z
  .object({
    results: z.array(z.object({ deliveryId: z.string(), result }).meta({ id: 'LeaseResult' })),
  })
  .meta({
    id: 'LeaseResults',
    description: 'For each message, in the order of the request, whether the lease still counted.',
  });

export const extendResults = z
  .object({
    results: z.array(
      z.object({ deliveryId: z.string(), result, leasedUntil: timestamp.nullable() }).meta({ id: 'ExtendResult' }),
    ),
  })
  .meta({
    id: 'ExtendResults',
    description: 'For each message, in the order of the request, the new end of its lease.',
  });
