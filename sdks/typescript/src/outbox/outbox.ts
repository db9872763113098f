import { type AnyPayloads, requireApplication } from '../ingestion.ts';
import { refuseUnknown, requireTime, requireVisible } from '../options.ts';
import { toPayload } from '../payload.ts';
import { path } from '../transport.ts';
import type { Sql } from './sql.ts';

export type OutboxOptions = {
  /** The idempotency key: 1 to 255 visible ASCII characters. Default: a new UUID. */
  key?: string | undefined;
  /** The application that the event belongs to: its id, `ext:` and your own id of it, or `ALL_APPLICATIONS`. */
  application: string;
  orderingKey?: string | undefined;
  deliverAt?: Date | string | undefined;
  contentType?: string | undefined;
};

const OPTIONS = ['key', 'application', 'orderingKey', 'deliverAt', 'contentType'] satisfies (keyof OutboxOptions)[];

/**
 * The outbox in your own transaction: an event is sent if, and only if, the transaction commits. A key that already
 * waits is not written again. `outbox<Payloads>(…)` accepts only the event types and payloads that `posthorn types`
 * wrote.
 */
export function outbox<Payloads extends AnyPayloads = AnyPayloads>(sql: Sql) {
  return {
    async send<Name extends keyof Payloads & string>(
      eventType: Name,
      payload: Payloads[Name],
      options: OutboxOptions,
    ): Promise<{ id: string }> {
      const application = requireApplication(options?.application);
      refuseUnknown(options, OPTIONS);
      const { orderingKey, deliverAt } = options;
      // A value that no request can carry is refused here, where the caller sees the error.
      path`${eventType}`;
      const id = requireVisible('key', options.key ?? `outbox_${crypto.randomUUID()}`);
      const { content, contentType } = toPayload(payload, options.contentType);
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const more = JSON.stringify({
        application,
        orderingKey: requireVisible('orderingKey', orderingKey),
        deliverAt: requireTime('deliverAt', deliverAt),
      });
      await sql`
        INSERT INTO posthorn_outbox (id, event_type, payload, content_type, options)
        VALUES (${id}, ${eventType}, decode(${toBase64(bytes)}, 'base64'), ${contentType}, ${more}::text::jsonb)
        ON CONFLICT (id) DO NOTHING`;
      return { id };
    },
  };
}

/** Converts character by character: `String.fromCharCode(...bytes)` has too many arguments for a large payload. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
