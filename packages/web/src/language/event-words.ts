import type { CountedText, EventWords, Text } from './catalogue.ts';

/** The texts in which a message is none that an endpoint gets, by their English form. */
export const OTHER_MESSAGES: ReadonlySet<string> = new Set<Text | CountedText>([
  'At most one message of each kind in this time. It names every endpoint concerned.',
  'Messages for people, in plain words. They need no code.',
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

/** Whether `portalTerms` of the workspace has this word in place of the message that stands in the texts. */
export function isEventTerm(event: string | undefined): boolean {
  return event === 'Event';
}

/**
 * The text with the words of a portal that calls a message an event. `english` names the text, and `words` are those of
 * the language; without them the text is English.
 */
export function asEvents(text: string, english: string, words: EventWords = ENGLISH): string {
  if (OTHER_MESSAGES.has(english)) return text;
  return words.reduce((changed, [message, event]) => changed.replaceAll(message, event), text);
}
