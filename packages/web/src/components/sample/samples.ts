import type { Event, PayloadEnvelope } from '../../client/resources.ts';
import type { ReaderTexts } from '../reader-texts.ts';

/** The sample payloads for a filter or a form. */
export type Samples = {
  /** The example of the event type, as JSON. */
  example: string;
  /** The newest events of the type that have a payload; empty if the reader may not see payloads. */
  recent: readonly Pick<Event, 'id' | 'createdAt'>[];
  /**
   * Reads an event's payload, and so adds an entry to the log named in `texts`. Null for a response without a payload.
   */
  read: (eventId: string) => Promise<PayloadEnvelope | null>;
  texts: ReaderTexts;
};

/** A payload to try things with. */
export type Sample = {
  text: string;
  /** True if `text` is base64, because the bytes are not text. */
  isBase64: boolean;
  contentType: string | null;
  /** The event that the payload is from; null for an example or a typed payload. */
  event: Pick<Event, 'id' | 'createdAt'> | null;
};

/** A JSON payload that belongs to no event. */
export function jsonSample(text: string): Sample {
  return { text, isBase64: false, contentType: 'application/json', event: null };
}
