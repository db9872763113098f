import type { Random } from '../random.ts';

/** A body that a producer may send. `json` says that it is well-formed JSON, which can be part of a batch. */
export type HostileBody = { what: string; bytes: Buffer; contentType: string | undefined; json: boolean };

const MAX_BYTES = 256 * 1024;
const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/cloudevents+json',
  'APPLICATION/JSON',
];
const NO_TYPE = 'none';
const OTHER_TYPES = [
  'application/octet-stream',
  'text/plain',
  'text/plain; charset=utf-16',
  'image/png',
  'x/y',
  NO_TYPE,
];

/** Makes a body of one of the kinds below. Its size and details are drawn from the seed. */
export function hostileBody(random: Random): HostileBody {
  if (random.next() < 0.3) return randomBytes(random);
  const [what, make] = random.pick(Object.entries(kinds));
  return { what, bytes: Buffer.from(make(random)), contentType: random.pick(JSON_TYPES), json: true };
}

/** Makes bytes that are not JSON, with a content type that is not JSON. Some begin with a byte order mark. */
function randomBytes(random: Random): HostileBody {
  const size = random.pick([0, 1, 2, 3, 63, 1_023, 16_384, 65_537, random.whole(0, 200_000), MAX_BYTES]);
  const mark = random.pick(['', 'efbbbf', 'fffe', 'feff', '1f8b08', '00', '0d0a0d0a', '504b0304']);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = random.whole(0, 255);
  Buffer.from(mark, 'hex').copy(bytes);
  return { what: 'bytes', bytes, contentType: typeOf(random.pick(OTHER_TYPES)), json: false };
}

function typeOf(picked: string): string | undefined {
  return picked === NO_TYPE ? undefined : picked;
}

/** Well-formed JSON (RFC 8259) that a parser and serializer would change. */
const kinds: Record<string, (random: Random) => string> = {
  deepLists: (random) => nested(random, ['[', ']']),
  deepObjects: (random) => nested(random, ['{"a":', '}']),
  wideList: (random) => `[${Array.from({ length: random.whole(1, 60_000) }, () => random.whole(0, 9)).join()}]`,
  wideObject: (random) =>
    `{${Array.from({ length: random.whole(1, 15_000) }, (_, n) => `"k${n}":${random.whole(0, 99)}`).join()}}`,
  equalKeys: (random) =>
    `{${Array.from({ length: random.whole(2, 50) }, (_, n) => `"a":${n}`).join(spaces(random, ','))}}`,
  numbers: (random) =>
    `[${Array.from({ length: random.whole(1, 40) }, () => random.pick(numbers)(random)).join(spaces(random, ','))}]`,
  zeroBytes: (random) => `{"a\\u0000b":"${'\\u0000'.repeat(random.whole(1, 2_000))}"}`,
  surrogates: (random) =>
    `["${Array.from({ length: random.whole(1, 200) }, () => random.pick(['\\ud800', '\\uDFFF', '\\udc00\\ud800', '\\ud83d\\ude00'])).join('')}"]`,
  escapes: (random) => `["${Array.from({ length: random.whole(1, 500) }, () => escaped(random)).join('')}"]`,
  letters: (random) => JSON.stringify(Array.from({ length: random.whole(1, 500) }, () => letter(random)).join('')),
  white: (random) =>
    `${blank(random)}{${blank(random)}"a"${blank(random)}:${blank(random)}[${blank(random)}]${blank(random)}}${blank(random)}`,
  ownNames: (random) =>
    `{"${random.pick(['__proto__', 'constructor', 'toString', 'data', 'events', ''])}":${random.whole(0, 9)}}`,
  scalar: (random) => random.pick(['null', 'true', '0', '-0', '""', '"a"', '[]', '{}', '1E400', '"\\\\"']),
  byteOrderMark: (random) => `\ufeff{"a":${random.whole(0, 9)}}`,
  large: (random) => `"${'é'.repeat(random.whole(60_000, (MAX_BYTES - 2) / 2))}"`,
};

const numbers: ((random: Random) => string)[] = [
  (random) => '9'.repeat(random.whole(1, 400)),
  (random) => `-0.${'0'.repeat(random.whole(0, 400))}1`,
  (random) => `${random.whole(1, 9)}e${random.whole(300, 999_999)}`,
  (random) => `1E-${random.whole(300, 999_999)}`,
  () => '12345678901234567890.10',
  () => '1.0',
];

function nested(random: Random, [open, close]: [string, string]): string {
  const depth = random.pick([10, 1_000, 10_000, random.whole(1, 40_000)]);
  return `${open.repeat(depth)}${open === '[' ? '' : '0'}${close.repeat(depth)}`;
}

function spaces(random: Random, mark: string): string {
  return `${blank(random)}${mark}${blank(random)}`;
}

function blank(random: Random): string {
  return random.pick(['', '', ' ', '\n', '\r\n', '\t', ' '.repeat(random.whole(1, 300))]);
}

function escaped(random: Random): string {
  return random.pick(['\\/', '\\"', '\\\\', '\\b', '\\f', '\\u0041', '\\u00e9', '\\u2028', '\\uFFFF', '\\u007f']);
}

/** Any Unicode character except surrogates, which UTF-8 cannot encode. */
function letter(random: Random): string {
  const point = random.pick([random.whole(0, 0x7f), random.whole(0x80, 0xd7ff), random.whole(0xe000, 0x10ffff)]);
  return String.fromCodePoint(point);
}
