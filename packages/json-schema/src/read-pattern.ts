/**
 * The structure of a regular expression. `character` has the source of one character or class, `place` that of an
 * assertion.
 */
export type Expression =
  | { kind: 'character' | 'place'; source: string }
  | { kind: 'sequence' | 'alternatives'; of: Expression[] }
  | { kind: 'repeat'; of: Expression; least: number; most: number };

/** `message` completes a sentence about the pattern. */
export class InvalidPattern extends Error {}

/**
 * A regular expression that would take unbounded time. `message` completes a sentence: the pattern `looks ahead or
 * behind`.
 */
export class UnboundedPattern extends Error {}

/** The expression that a text must match, and the lookaheads that must or must not match at its beginning. */
export type ReadPattern = { main: Expression; ahead: { isWanted: boolean; expression: Expression }[] };

const MAX_CHARACTERS = 1_000;

/**
 * Reads a regular expression of ECMA-262 with the flag `u`, as JSON Schema requires. Lookaheads right after a leading
 * `^` become separate expressions, as in `^(?=.*[A-Z])(?!.*\.\.).+$`. Other lookaround and backreferences are refused,
 * because they cannot be matched in linear time.
 */
export function readPattern(source: string): ReadPattern {
  if (source.length > MAX_CHARACTERS) throw new InvalidPattern(`must be at most ${MAX_CHARACTERS} characters`);
  try {
    // Only parses it, never runs it. After this, the syntax is known to be valid, and only the structure must be read.
    new RegExp(source, 'u');
  } catch {
    throw new InvalidPattern('must be a regular expression of ECMA-262 (flag u)');
  }
  const ahead: ReadPattern['ahead'] = [];
  const reader: Reader = { source, at: 0 };
  if (!skip(reader, '^')) return { main: readAlternatives(reader), ahead };
  for (let next = readAhead(reader); next !== undefined; next = readAhead(reader)) ahead.push(next);
  // In `^(?=a)b|c`, the lookahead would belong to the first alternative only.
  const rest = readSequence(reader);
  if (reader.at < source.length && ahead.length > 0) throw lookaround();
  if (reader.at < source.length) return { main: readAlternatives({ source, at: 0 }), ahead };
  return { main: atStart(rest), ahead };
}

function readAhead(reader: Reader): ReadPattern['ahead'][number] | undefined {
  const isWanted = startsWith(reader, '(?=');
  if (!isWanted && !startsWith(reader, '(?!')) return undefined;
  reader.at += '(?='.length;
  const expression = atStart(readAlternatives(reader));
  skip(reader, ')');
  return { isWanted, expression };
}

function atStart(expression: Expression): Expression {
  return { kind: 'sequence', of: [{ kind: 'place', source: '^' }, expression] };
}

function lookaround(): UnboundedPattern {
  return new UnboundedPattern('looks ahead or behind');
}

type Reader = { source: string; at: number };

function readAlternatives(reader: Reader): Expression {
  const of = [readSequence(reader)];
  while (skip(reader, '|')) of.push(readSequence(reader));
  return { kind: 'alternatives', of };
}

function readSequence(reader: Reader): Expression {
  const of: Expression[] = [];
  while (reader.at < reader.source.length && !startsWith(reader, '|') && !startsWith(reader, ')')) {
    of.push(readRepeat(reader, readAtom(reader)));
  }
  return { kind: 'sequence', of };
}

function readAtom(reader: Reader): Expression {
  if (skip(reader, '(')) return readGroup(reader);
  const { source, at } = reader;
  if (startsWith(reader, '[')) reader.at = endOfClass(source, at);
  else if (startsWith(reader, '\\')) reader.at = endOfEscape(source, at);
  else reader.at += characterLength(source, at);
  const text = source.slice(at, reader.at);
  return { kind: PLACES.has(text) ? 'place' : 'character', source: text };
}

const PLACES = new Set(['^', '$', '\\b', '\\B']);

function readGroup(reader: Reader): Expression {
  if (startsWith(reader, '?')) {
    const kind = ['?=', '?!', '?<=', '?<!'].find((opening) => startsWith(reader, opening));
    if (kind !== undefined) throw lookaround();
    if (!skip(reader, '?:')) {
      if (!skip(reader, '?<')) throw new InvalidPattern('must not change its flags');
      reader.at = reader.source.indexOf('>', reader.at) + 1;
    }
  }
  const inner = readAlternatives(reader);
  skip(reader, ')');
  return inner;
}

function readRepeat(reader: Reader, of: Expression): Expression {
  const counts = readCounts(reader);
  if (counts === undefined) return of;
  // A lazy quantifier changes which match is found, but not whether there is one.
  skip(reader, '?');
  return { kind: 'repeat', of, ...counts };
}

function readCounts(reader: Reader): { least: number; most: number } | undefined {
  if (skip(reader, '*')) return { least: 0, most: Number.POSITIVE_INFINITY };
  if (skip(reader, '+')) return { least: 1, most: Number.POSITIVE_INFINITY };
  if (skip(reader, '?')) return { least: 0, most: 1 };
  if (!skip(reader, '{')) return undefined;
  const end = reader.source.indexOf('}', reader.at);
  const [least = '', most = least] = reader.source.slice(reader.at, end).split(',');
  reader.at = end + 1;
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}

function endOfClass(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfEscape(source: string, start: number): number {
  const letter = source[start + 1] ?? '';
  if (letter === 'k' || (letter >= '1' && letter <= '9')) {
    throw new UnboundedPattern('refers back to a group');
  }
  if (letter === 'p' || letter === 'P' || source.startsWith('u{', start + 1)) return source.indexOf('}', start) + 1;
  if (letter === 'x') return start + 4;
  if (letter === 'c') return start + 3;
  if (letter !== 'u') return start + 1 + characterLength(source, start + 1);
  // Two escapes that form a surrogate pair are one character.
  const isLead = isBetween(source.slice(start + 2, start + 6), 0xd800, 0xdbff);
  const isPair = source.startsWith('\\u', start + 6) && isBetween(source.slice(start + 8, start + 12), 0xdc00, 0xdfff);
  return isLead && isPair ? start + 12 : start + 6;
}

function isBetween(hex: string, least: number, most: number): boolean {
  const unit = Number.parseInt(hex, 16);
  return unit >= least && unit <= most;
}

function characterLength(source: string, at: number): number {
  return (source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function startsWith({ source, at }: Reader, text: string): boolean {
  return source.startsWith(text, at);
}

function skip(reader: Reader, text: string): boolean {
  const isNext = startsWith(reader, text);
  if (isNext) reader.at += text.length;
  return isNext;
}
