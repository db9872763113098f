import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { dateTimeOf, id, timestamp, visibleAscii } from './primitives.ts';

export const idempotencyKey = visibleAscii(LIMITS.idempotencyKeyCharacters);

/**
 * Stands in place of an application for an event to all applications, which endpoints without an application do not
 * get.
 */
export const ALL_APPLICATIONS = '*';

/** A fifo endpoint gets deliveries of events with the same key one after the other. */
export const orderingKey = visibleAscii(LIMITS.orderingKeyCharacters);

/** A date-time of RFC 3339 with an offset. The service checks against its clock how far ahead it may be. */
export const deliverAt = dateTimeOf('must be an RFC 3339 date-time with an offset');

/** The answer to fan-out ingestion, sent only after the event is committed (docs/interface.md, Ingestion answer). */
export const ingestAnswer = z
  .object({
    id: id('msg'),
    eventType: z.string().nullable(),
    environmentId: id('env'),
    idempotencyKey: z.string(),
    published: z
      .boolean()
      .meta({ description: 'Whether the event type was published. If not, no endpoint receives the event.' }),
    duplicate: z
      .boolean()
      .meta({ description: 'Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created.' }),
    schemaErrors: z.array(z.string()).nullable().meta({
      description: 'At most 10 places where the payload does not match its schema. Null if nothing was checked.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'IngestAnswer' });

/** The answer to direct ingestion. */
export const directIngestAnswer = ingestAnswer
  .extend({ deliveryId: id('dlv'), endpointId: id('ep') })
  .meta({ id: 'DirectIngestAnswer' });

/** A media type (RFC 6838 §4.2) before its parameters, between optional white space (RFC 9110 §5.6.3). */
const MEDIA_TYPE = /^[ \t]*([a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*)[ \t]*(;|$)/i;

/** Whether a Content-Type is JSON: `application/json`, or any type that ends in `+json` (RFC 6839). */
export function isJsonType(contentType: string | undefined): boolean {
  const type = MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase();
  return type !== undefined && (type === 'application/json' || type.endsWith('+json'));
}
