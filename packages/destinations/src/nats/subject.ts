const MOST_BYTES = 255;

/** Why nothing can be published to a subject; undefined if publishing is possible. */
export function faultOfSubject(subject: string): string | undefined {
  if (subject === '') return 'is empty';
  if (Buffer.byteLength(subject) > MOST_BYTES) return `has more than ${MOST_BYTES} bytes`;
  // A payload may fill a part of the subject, but must not send commands to the server: $JS.API can delete streams.
  if (subject.startsWith('$') || subject.startsWith('_INBOX')) return 'is one of the subjects of the server itself';
  const tokens = subject.split('.');
  if (tokens.includes('')) return 'has an empty part between dots';
  if (/[*>\s\p{Cc}]/u.test(subject)) return 'has a space or one of the characters * and >';
  return undefined;
}
