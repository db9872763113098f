import { randomUUID } from 'node:crypto';
import { isRounded, markNumbers, tokensOf } from '@posthorn/runtime/json-tokens';

/** The prefix of a number that the interpreter writes as a text. It is random, so that no payload can contain it. */
export const MARK = randomUUID();
/** Matches every number that JSON.parse rounds: it has 16 digits, or a large exponent. Strings may match, too. */
const SUSPECT = /[\d.]{16}|\d[eE][-+]?\d{3}/;

/** The numbers of a payload that JSON.parse rounds. */
export type Rounded = {
  /** The digits by the rounded value; undefined where several numbers of the payload have the same rounded value. */
  digits: ReadonlyMap<number, string | undefined>;
  /** The paths and digits of those ambiguous numbers. The interpreter marks each one that the code leaves in place. */
  places: readonly (readonly [path: readonly string[], digits: string])[];
};

/** Undefined if no number is rounded, or the payload is not JSON. */
export function roundedIn(body: string | null): Rounded | undefined {
  if (body === null || !SUSPECT.test(body)) return undefined;
  const text = body.startsWith('\ufeff') ? body.slice(1) : body;
  const digits = new Map<number, string | undefined>();
  for (const number of numbersIn(text)) if (isRounded(number)) digits.set(Number(number), number);
  if (digits.size === 0 || parse(text) === undefined) return undefined;
  for (const number of numbersIn(text)) {
    const value = Number(number);
    const isTold = value !== 0 && Number.isFinite(value) && digits.get(value) === number;
    if (digits.has(value) && !isTold) digits.set(value, undefined);
  }
  const isUntold = (number: string) =>
    digits.has(Number(number)) && digits.get(Number(number)) === undefined && isRounded(number);
  const marked = markNumbers(text, MARK, isUntold);
  return { digits, places: marked === text ? [] : placesIn(parse(marked)) };
}

/** The JSON that a transformation made, with the exact digits of the payload's numbers. */
export function withDigits(json: string, { digits }: Rounded): string {
  let [exact, from] = ['', 0];
  for (const { token, start, end } of tokensOf(json)) {
    const known = token.startsWith('"') ? markedIn(token) : digits.get(Number(token));
    if (known === undefined) continue;
    exact += json.slice(from, start) + known;
    from = end;
  }
  return exact + json.slice(from);
}

/** Matches only a number, so that the code cannot make malformed JSON. */
const MARKED = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function markedIn(text: string): string | undefined {
  if (!text.startsWith(MARK, 1)) return undefined;
  const number = text.slice(1 + MARK.length, -1);
  return MARKED.test(number) ? number : undefined;
}

function* numbersIn(json: string): Generator<string> {
  for (const { token } of tokensOf(json)) if (!token.startsWith('"')) yield token;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type Step = { key: string; before: Step | undefined; length: number };

/**
 * The most steps of all paths together. More would take too much of the code's memory and time. Numbers behind them
 * stay rounded.
 */
const MOST_STEPS = 15_000;

/** Finds the marked numbers without recursion: a payload may be nested deeply. */
function placesIn(root: unknown): [string[], string][] {
  const places: [string[], string][] = [];
  const waiting: { value: unknown; step: Step | undefined }[] = [{ value: root, step: undefined }];
  let steps = 0;
  for (let one = waiting.pop(); one !== undefined && steps <= MOST_STEPS; one = waiting.pop()) {
    const { value, step } = one;
    const length = 1 + (step?.length ?? 0);
    if (typeof value === 'string' && value.startsWith(MARK)) {
      steps += length;
      if (steps <= MOST_STEPS) places.push([pathTo(step), value.slice(MARK.length)]);
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value))
      waiting.push({ value: inner, step: { key, before: step, length } });
  }
  return places;
}

function pathTo(step: Step | undefined): string[] {
  const path: string[] = [];
  for (let at = step; at !== undefined; at = at.before) path.push(at.key);
  return path.reverse();
}
