import { fieldPath } from '@posthorn/contract/field-path';
import { invalid } from './error.ts';

/** The lists whose items may have filters. */
const WITH_FILTERS = ['eventTypes', 'eventTypePatterns'];
/** The documents that are stored as values and shown as they were given, with the advice for a number that is not kept. */
const KEPT_DOCUMENTS = new Map([
  ...['config', 'metadata', 'filter', ...WITH_FILTERS, 'example', 'document'].map(
    (name) => [name, 'send it as a string'] as const,
  ),
  ['schema', 'use a number that is, or leave the keyword out'],
]);
/** The fields that stay as they were sent, even with equal keys. */
const PAYLOADS = ['data', 'payload'];
/** A shorter number without an exponent is exact: a double has 15 decimal digits. */
const MAX_EXACT_CHARACTERS = 15;

const [QUOTE, BACKSLASH, COMMA, COLON, DASH, DOT] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, LARGE_E, SMALL_E, PLUS] = [0x30, 0x39, 0x45, 0x65, 0x2b];

/**
 * Refuses a well-formed JSON text with a value that could not be stored and returned unchanged, or with a key that an
 * object has twice: JSON.parse keeps the last one. It reads the text once, and looks at long numbers and at keys only.
 * JSON.parse with a function takes ten times as long.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner: one branch for each character that matters.
export function refuseChangedValues(text: string): void {
  /** For each level: in an object the offset of the present key, in a list -1 less the present index. */
  const places: number[] = [];
  /** For each level, the keys of the object so far. */
  const keys: (Set<string> | undefined)[] = [];
  let advice: string | undefined;
  let isPayload = false;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfText(text, at);
      if (isKey(text, end)) {
        const key = keyAt(text, at, end);
        if (key === '__proto__') throw invalid('The body must not have a key named __proto__', 'body');
        places[places.length - 1] = at;
        if (places.length === 1) {
          advice = KEPT_DOCUMENTS.get(key);
          isPayload = PAYLOADS.includes(key);
        }
        if (places.length === 1 || !isPayload) {
          keys[places.length - 1] ??= new Set();
          const known = keys[places.length - 1] as Set<string>;
          if (known.has(key)) throw givenTwice(fieldPath(pathOf(text, places)));
          known.add(key);
        }
      }
      at = end;
    } else if (isDigit(unit) || unit === DASH) {
      const end = endOfNumber(text, at);
      if (mayChange(text, at, end))
        checkNumber(text.slice(at, end), { advice, readField: () => fieldPath(pathOf(text, places)) });
      at = end;
    } else {
      if (unit === OPEN_OBJECT) {
        places.push(0);
        keys[places.length - 1] = undefined;
      } else if (unit === OPEN_LIST) places.push(-1);
      else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) places.pop();
      else if (unit === COMMA && (places.at(-1) ?? 0) < 0) places[places.length - 1] = (places.at(-1) ?? 0) - 1;
      at += 1;
    }
  }
}

/** Whether a number is long, or has an exponent of three digits. All others are within range, and exact. */
function mayChange(text: string, start: number, end: number): boolean {
  if (end - start > MAX_EXACT_CHARACTERS) return true;
  for (let at = end - 1; at > start; at -= 1) {
    const unit = text.charCodeAt(at);
    if (unit === SMALL_E || unit === LARGE_E) return isDigit(text.charCodeAt(at + 1)) ? end - at > 3 : end - at > 4;
  }
  return false;
}

/** Refuses a number that cannot be kept. Without `advice`, no kept document has it, so only its range counts. */
function checkNumber(literal: string, place: { advice: string | undefined; readField: () => string }): void {
  const value = Number(literal);
  if (Number.isFinite(value) && (place.advice === undefined || isKept(literal, value))) return;
  const field = place.readField();
  if (!Number.isFinite(value)) throw invalid(`${field || 'The body'} must be a number within range`, field || 'body');
  throw invalid(`${field} must be a number that a 64-bit float holds without change; ${place.advice}`, field);
}

/** Whether the number is shown again with the same value. A fraction is rounded, as by every reader of JSON. */
function isKept(literal: string, value: number): boolean {
  const written = String(value);
  if (written === literal) return true;
  if (value === 0) return digitsOf(literal) === '';
  return (
    literal.includes('.') || literal.includes('e') || literal.includes('E') || digitsOf(literal) === digitsOf(written)
  );
}

/** The digits of a number without the zeros on both sides. With a known magnitude they give its value. */
function digitsOf(number: string): string {
  let digits = '';
  let zeros = '';
  for (let at = 0; at < number.length; at += 1) {
    const unit = number.charCodeAt(at);
    if (unit === SMALL_E || unit === LARGE_E) break;
    if (unit === ZERO) zeros += digits === '' ? '' : '0';
    else if (isDigit(unit)) {
      digits += zeros + number.charAt(at);
      zeros = '';
    }
  }
  return digits;
}

/** The keys and indices of the value that the places lead to. */
function pathOf(text: string, places: readonly number[]): PropertyKey[] {
  return places.map((place) => (place < 0 ? -1 - place : keyAt(text, place, endOfText(text, place))));
}

/** The refusal of a key that an object has twice. */
export function givenTwice(field: string): Error {
  return invalid(`${field} must be given once`, field);
}

/** The name of a key. Only one with escapes is decoded. */
function keyAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
}

/** Whether a colon comes after a text that ends at `end`. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

function isOfNumber(unit: number): boolean {
  return isDigit(unit) || unit === DOT || unit === SMALL_E || unit === LARGE_E || unit === PLUS || unit === DASH;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}
