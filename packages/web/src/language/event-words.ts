import type { CountedText, EventWords, Text } from './catalogue.ts';

/** The texts whose "message" does not mean an event, by their English form. */
export const OTHER_MESSAGES: ReadonlySet<string> = new Set<Text | CountedText>([
  'At most one message of each kind in this time. It names up to 10 endpoints.',
  'Messages for people, in plain words. They need no code.',
  'The last message was not sent',
  'An alert tells people by mail or in a chat when an endpoint stops answering or deliveries are given up.',
  'Line {line}, column {column}: {message}',
  'Line {line}: {message}',
]);

const ENGLISH: EventWords = [
  ['A message', 'An event'],
  ['a message', 'an event'],
  ['Message', 'Event'],
  ['message', 'event'],
];

/** True if this value of `portalTerms` changes the words of the texts. */
export function isEventTerm(event: string | undefined): boolean {
  return event === 'Event';
}

/**
 * The text for a portal that calls a message an event. `english` identifies the text. `words` are of the text's
 * language; without them, the text is English.
 */
export function asEvents(text: string, english: string, words: EventWords = ENGLISH): string {
  if (OTHER_MESSAGES.has(english)) return text;
  return words.reduce((changed, [message, event]) => changed.replaceAll(message, event), text);
}
