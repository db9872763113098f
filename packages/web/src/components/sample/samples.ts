import type { Event, PayloadEnvelope } from '../../client/resources.ts';
import type { ReaderTexts } from '../reader-texts.ts';

/** The payloads that a filter or a form can be tried with. */
export type Samples = {
  /** The example of the event type, as JSON. */
  example: string;
  /** The newest events of the type whose payload can be asked for; none where it may not be read. */
  recent: readonly Pick<Event, 'id' | 'createdAt'>[];
  /** Reads the payload of an event, which is entered in the log of `texts`; null for an answer without one. */
  read: (eventId: string) => Promise<PayloadEnvelope | null>;
  texts: ReaderTexts;
};

/** A payload to try things with. */
export type Sample = {
  text: string;
  /** Whether `text` is the base64 of bytes that are not text. */
  isBase64: boolean;
  contentType: string | null;
  /** The event that it is from; null for an example and for a typed one. */
  event: Pick<Event, 'id' | 'createdAt'> | null;
};

/** A JSON payload of no event. */
export function jsonSample(text: string): Sample {
  return { text, isBase64: false, contentType: 'application/json', event: null };
}
