import { ApiError, BatchError, OptionError, PosthornError } from './errors.ts';
import type { BatchAnswer, BatchEvent, BatchResult, DirectIngestAnswer, IngestAnswer } from './models.ts';
import { refuseUnknown, requireJson, requireTime, requireVisible } from './options.ts';
import { toPayload } from './payload.ts';
import { type RequestOptions, Resource } from './resource.ts';
import { newKey, path } from './transport.ts';

/** The event types and payloads of a client without types of its own: any payload, under any name. */
export type AnyPayloads = Record<string, unknown>;

/** An event of a batch: an event type of `Payloads` with the payload of that type, or an event for one endpoint. */
export type EventToSend<
  Payloads extends AnyPayloads = AnyPayloads,
  Event extends { data: unknown } = BatchEvent,
> = string extends keyof Payloads
  ? Event
  :
      | {
          [Name in keyof Payloads & string]: Omit<Event, 'eventType' | 'data'> & {
            eventType: Name;
            data: Payloads[Name];
          };
        }[keyof Payloads & string]
      | (Event & { eventType?: undefined; endpointId: string });

/** Use it as the application to send an event to the subscribed endpoints of every customer. */
export const ALL_APPLICATIONS = '*';

export type SendOptions = DirectSendOptions & {
  /** The application that the event belongs to: its id, `ext:` and your own id of it, or `ALL_APPLICATIONS`. */
  application: string;
};

export type DirectSendOptions = RequestOptions & {
  /** Within 24 hours, an event with the same key is accepted only once. Take the key from your own data. */
  idempotencyKey?: string | undefined;
  /** The application to which the endpoint must belong. */
  application?: string | undefined;
  /** At endpoints with `ordering: 'fifo'`, the events of one key arrive one after the other. */
  orderingKey?: string | undefined;
  /** The event is not delivered before this time. It may be at most 24 hours ahead. */
  deliverAt?: Date | string | undefined;
  /**
   * Default: `text/plain; charset=utf-8` for a string, `application/octet-stream` for bytes, else `application/json`.
   */
  contentType?: string | undefined;
};

export type BatchOptions = RequestOptions & {
  /** The application of the events that have an event type and no `applicationId` of their own. */
  application?: string | undefined;
};

/** An event that names its destination: the endpoints of an application, or one endpoint. */
export type AddressedEvent<Payloads extends AnyPayloads = AnyPayloads> = EventToSend<Payloads> &
  ({ applicationId: string } | { endpointId: string });

const REQUEST_OPTIONS = ['signal', 'timeoutMs', 'retries'] as const;
const SEND_OPTIONS = [
  ...REQUEST_OPTIONS,
  ...(['application', 'idempotencyKey', 'orderingKey', 'deliverAt', 'contentType'] as const),
] as const;
const BATCH_OPTIONS = [...REQUEST_OPTIONS, 'application'] as const;

const BATCH_EVENTS = 100;
const BATCH_BYTES = 1024 * 1024;
const AROUND = '{"events":[]}'.length;

/** Sends events, with an API key. */
export class Ingestion<Payloads extends AnyPayloads = AnyPayloads> extends Resource {
  /**
   * Sends an event to every endpoint that subscribes to its type. Strings and bytes are sent as they are, every other
   * value as JSON. When the promise resolves, the event is committed.
   */
  async send<Name extends keyof Payloads & string>(
    eventType: Name,
    payload: Payloads[Name],
    options: SendOptions,
  ): Promise<IngestAnswer> {
    requireApplication(options?.application);
    return this.#send(path`/api/ingest/event/${eventType}`, payload, options);
  }

  /** Sends an event to one endpoint, without an event type. */
  async sendDirect(endpointId: string, payload: unknown, options: DirectSendOptions = {}): Promise<DirectIngestAnswer> {
    return this.#send(path`/api/ingest/${endpointId}`, payload, options);
  }

  /**
   * Sends any number of events, in requests of at most 100 events and 1 MiB, one after the other. The results have the
   * order of the events. A refused event has `error` and does not stop the others. If a request fails after an earlier
   * one was accepted, the BatchError has the results so far and the events that are left.
   */
  async sendBatch(
    events: readonly EventToSend<Payloads>[],
    options: BatchOptions & { application: string },
  ): Promise<BatchResult[]>;
  async sendBatch(events: readonly AddressedEvent<Payloads>[], options?: BatchOptions): Promise<BatchResult[]>;
  async sendBatch(
    events: readonly BatchEvent[],
    { application, ...options }: BatchOptions = {},
  ): Promise<BatchResult[]> {
    refuseUnknown({ application, ...options }, BATCH_OPTIONS);
    const keyed = events.map((event) => ({
      ...event,
      ...(event.endpointId === undefined && { applicationId: requireApplication(event.applicationId ?? application) }),
      idempotencyKey: event.idempotencyKey ?? newKey(),
    }));
    const results: BatchResult[] = [];
    for (const texts of splitBatch(keyed.map((event) => requireJson('events', event)))) {
      try {
        results.push(...(await this.#sendPart(texts, options)));
      } catch (error) {
        const refused = tooLargeAlone(texts, error);
        if (refused !== undefined) {
          results.push(refused);
          continue;
        }
        if (results.length === 0 || !(error instanceof PosthornError)) throw error;
        throw new BatchError(results, keyed.slice(results.length), error);
      }
    }
    return results;
  }

  async #sendPart(texts: readonly string[], options: RequestOptions): Promise<BatchResult[]> {
    const { results } = await this.transport.request<BatchAnswer>(
      {
        method: 'POST',
        path: '/api/ingest/batch',
        inWorkspace: false,
        credential: 'apiKey',
        bytes: { content: `{"events":[${texts.join(',')}]}`, contentType: 'application/json' },
        // Each event has its own key.
        idempotencyKey: null,
      },
      options,
    );
    if (Array.isArray(results) && results.length === texts.length) return results;
    const message = `The answer to a batch of ${texts.length} events has not as many results`;
    throw new ApiError({
      status: 202,
      code: 'unexpected_answer',
      message,
      requestId: undefined,
      retryAfter: undefined,
      details: undefined,
    });
  }

  #send<Answer>(to: string, payload: unknown, options: DirectSendOptions): Promise<Answer> {
    refuseUnknown(options, SEND_OPTIONS);
    const { idempotencyKey, application, orderingKey, deliverAt, contentType } = options;
    return this.transport.request(
      {
        method: 'POST',
        path: to,
        inWorkspace: false,
        credential: 'apiKey',
        bytes: toPayload(payload, contentType),
        idempotencyKey,
        answersId: true,
        headers: {
          'x-application-id': requireVisible('application', application),
          'x-ordering-key': requireVisible('orderingKey', orderingKey),
          'x-deliver-at': requireTime('deliverAt', deliverAt),
        },
      },
      options,
    );
  }
}

/** Requires an application: without one, the event would go to every customer. */
export function requireApplication(application: string | undefined): string {
  if (application !== undefined && application !== null) return requireVisible('application', application);
  throw new OptionError(
    'application',
    'is required: the id of an application, "ext:" and your own id of it, or ALL_APPLICATIONS',
  );
}

/** The result of an event that is larger than a whole request may be. It does not stop the other events. */
function tooLargeAlone({ length }: readonly string[], error: unknown): BatchResult | undefined {
  if (length > 1 || !(error instanceof ApiError) || error.code !== 'payload_too_large') return undefined;
  return { error: { code: error.code, message: error.message } };
}

/**
 * Splits a batch into parts of at most 100 events and 1 MiB. A larger event is a part of its own: the server refuses
 * it.
 */
function splitBatch(texts: readonly string[]): string[][] {
  const encoder = new TextEncoder();
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const length = encoder.encode(text).length + 1;
    const part = parts.at(-1);
    if (part === undefined || part.length === BATCH_EVENTS || bytes + length > BATCH_BYTES) {
      parts.push([text]);
      bytes = AROUND + length;
    } else {
      part.push(text);
      bytes += length;
    }
  }
  return parts;
}
