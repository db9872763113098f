import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from './body.ts';

const UNLIKE = 'must be a number that a 64-bit float holds without change; send it as a string';
const OUT_OF_RANGE = 'must be a number within range';
const PROTOTYPE = 'The body must not have a key named __proto__';

/** The value of the text, or the message with which it is refused. */
function read(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    return String(error).replace('ApiError: ', '');
  }
}

test.each([
  ['{"config":{"x":9007199254740993}}', `config.x ${UNLIKE}`],
  ['{"config":{"x":-9007199254740993}}', `config.x ${UNLIKE}`],
  ['{"metadata":{"order":12345678901234567890}}', `metadata.order ${UNLIKE}`],
  ['{"filter":{"or":[{"a":1},{"b":[0,18446744073709551615]}]}}', `filter.or[1].b[1] ${UNLIKE}`],
  ['{"eventTypes":["a",{"name":"b","filter":{"id":9007199254740993}}]}', `eventTypes[1].filter.id ${UNLIKE}`],
  ['{"eventTypePatterns":[{"pattern":"*","filter":{"id":1e-400}}]}', `eventTypePatterns[0].filter.id ${UNLIKE}`],
  ['{"example":9223372036854775808}', `example ${UNLIKE}`],
  ['{"config":{"x":1e-400}}', `config.x ${UNLIKE}`],
  [`{"config":{"x":0.${'0'.repeat(400)}1}}`, `config.x ${UNLIKE}`],
  ['{"conf\\u0069g" : {"a\\nb":\t1e-400}}', `config.a\\nb ${UNLIKE}`],
  [
    '{"schema":{"maximum":9223372036854775807}}',
    'schema.maximum must be a number that a 64-bit float holds without change; use a number that is, or leave the keyword out',
  ],
  ['{"config":{"x":1e400}}', `config.x ${OUT_OF_RANGE}`],
  ['{"payload":[[],{"a":[0,-1E+400]}]}', `payload[1].a[1] ${OUT_OF_RANGE}`],
  [`{"config":{"x":${'1'.repeat(299)}e99}}`, `config.x ${OUT_OF_RANGE}`],
  ['1'.repeat(400), `The body ${OUT_OF_RANGE}`],
  ['{"dryRun":true,"dryRun":false}', 'dryRun must be given once'],
  ['{"config":{"headers":{"x":"1","\\u0078":"2"}}}', 'config.headers.x must be given once'],
  ['{"data":{"a":1,"a":2},"data":1}', 'data must be given once'],
  ['{"document":{"endpoints":[{"a":1},{"a":1,"b":[],"b":{}}]}}', 'document.endpoints[1].b must be given once'],
  ['{"a":[{"__proto__":1}]}', PROTOTYPE],
  ['{"a":[{"\\u005f_prot\\u006f__" \n:1}]}', PROTOTYPE],
])('a value that storing would change is refused by name: %s', (text, message) => {
  expect(read(text)).toBe(message);
});

test.each([
  '{"config":{"x":9007199254740992,"y":-9007199254740994,"z":100000000000000000000000}}',
  '{"config":{"a":0.1,"b":0.12345678901234567890,"c":1.0000000000000000000,"d":1e23,"e":5e-324,"f":1.7976931348623157e308}}',
  '{"config":{"a":0,"b":-0.0,"c":0.00000000000000000000,"d":0e5,"e":0e-999}}',
  '{"config":{"a":"1e400","b":"\\"9007199254740993","c":["__proto__","\\\\"],"d__proto__":1,"1e400":1}}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"c":"a"}',
  // A payload arrives as it was sent.
  '{"data":{"a":1,"a":2},"payload":[{"a":1,"a":2}]}',
  // These are not stored as values, or not shown again.
  '{"payload":12345678901234567890,"someday":1e-400}',
  '{"config":{},"payload":{"config":12345678901234567890}}',
  '\ufeff{"config":{"a":1}}',
  '[]',
  '"1e400"',
])('any other value is read as JSON.parse reads it: %s', (text) => {
  expect(read(text)).toEqual(JSON.parse(text.replace('\ufeff', '')));
});

test('every value that was written as JSON by a program with 64-bit floats is accepted', () => {
  const spaces = fc.constantFrom(undefined, 1, '\t');
  const value = fc.jsonValue({ depthSize: 'large' });
  fc.assert(
    fc.property(fc.oneof(value, fc.double({ noNaN: true, noDefaultInfinity: true })), spaces, (config, space) => {
      const text = JSON.stringify({ config, metadata: [config] }, null, space);
      fc.pre(!text.includes('__proto__'));
      expect(read(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('of all integers, those are accepted that are shown with the same digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (integer) => {
      const shown = JSON.stringify(Number(integer));
      const isSame = shown.includes('e') ? sameDigits(integer, shown) : shown === `${integer}`;
      expect(typeof read(`{"metadata":{"n":${integer}}}`) === 'object').toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

/** Whether a number in scientific notation is the integer. */
function sameDigits(integer: bigint, shown: string): boolean {
  const [mantissa = '', exponent = ''] = shown.split('e+');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length) === integer;
}
