import { Usage } from './failure.ts';

/**
 * The value of a JSON text. A text whose value would not be the same is refused: JavaScript rounds long numbers, and keeps
 * the last of two equal keys.
 */
export function parseJson(json: string, what: string): unknown {
  const value = parse(json, what);
  let keys = 0;
  for (const { token, end } of tokensOf(json)) {
    if (token.startsWith('"')) keys += isKey(json, end) ? 1 : 0;
    else if (isRounded(token))
      throw new Usage(`${what} has the number ${token}, which would be rounded: put it in quotes`);
  }
  if (keys !== countKeys(value)) throw new Usage(`${what} has a key twice in the same object`);
  return value;
}

/** The texts and the numbers of a well-formed JSON text. */
function* tokensOf(json: string): Generator<{ token: string; end: number }> {
  for (let at = 0; at < json.length; at += 1) {
    let end = at + 1;
    if (json[at] === '"') {
      while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
      end += 1;
    } else if (isOfNumber(json[at]) && json[at] !== 'e') {
      while (isOfNumber(json[end])) end += 1;
    } else continue;
    yield { token: json.slice(at, end), end };
    at = end - 1;
  }
}

function parse(json: string, what: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Usage(`${what} is not JSON: ${(error as Error).message}`);
  }
}

function isOfNumber(letter: string | undefined): boolean {
  return letter !== undefined && '0123456789+-.eE'.includes(letter);
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json[at] === ':';
}

function countKeys(value: unknown): number {
  const waiting = [value];
  let count = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const values = Object.values(one);
    if (!Array.isArray(one)) count += values.length;
    for (const each of values) waiting.push(each);
  }
  return count;
}

/** Whether a number has digits that its value does not have. */
function isRounded(literal: string): boolean {
  const written = String(Number(literal));
  return written !== literal && decimal(written) !== decimal(literal);
}

/** A number in one form, such as `12e-1` for `1.20`. */
function decimal(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.split('');
  while (digits[0] === '0') digits.shift();
  const length = digits.length;
  while (digits.at(-1) === '0') digits.pop();
  return digits.length === 0
    ? '0'
    : `${digits.join('')}e${Number(exponent) - fraction.length + length - digits.length}`;
}
