import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { itemsOf } from './batch-data.ts';

const dataOfItems = (body: Buffer) => itemsOf(body).items.map(({ data }) => data);
const texts = (body: string | Buffer) => dataOfItems(Buffer.from(body)).map((data) => data?.toString());

test('the data of each item is the bytes of that value as they were sent', () => {
  expect(
    texts('{"events":[{"data": {"a" : 1.0 , "é":"\\u00e9"}  },{"data":12345678901234567890}, {"data":"x"}]}'),
  ).toEqual(['{"a" : 1.0 , "é":"\\u00e9"}', '12345678901234567890', '"x"']);
});

test('an item without data, or that is not an object, has none, and keeps its position', () => {
  expect(texts('{"events":[{}, 5, "data", ["data", 1], {"date":1,"data":null}]}')).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'null',
  ]);
});

test('a key that the envelope or an item has twice is told, even when it is written with escapes', () => {
  const { items, repeated } = itemsOf(
    Buffer.from('{"events":[],"ev\\u0065nts":[{"data":1,"d\\u0061ta":2},{"data":{"a":1,"a":2}},{"é":1,"x":0,"x":1}]}'),
  );
  expect([repeated, items.map((one) => one.repeated)]).toEqual(['events', ['data', undefined, 'x']]);
});

test('brackets, quotes and backslashes inside strings end no value', () => {
  expect(texts('{"x":"]}\\"{","events":[{"a":["}",{"data":9}],"data":"\\\\\\"]}"}]}')).toEqual(['"\\\\\\"]}"']);
});

test('a byte order mark and surrounding white space are skipped', () => {
  const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(' {\t"events"\r\n: [ { "data" : 1 } ] } ')]);
  expect(texts(body)).toEqual(['1']);
});

test('half a million levels of nesting are handled like any other depth', () => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000);
  expect(dataOfItems(Buffer.from(`{"events":[{"data":${deep}}]}`))[0]?.length).toBe(1_000_000);
});

test('whatever the values and the white space, each slice parses to the value that JSON.parse gives', () => {
  const items = fc.array(
    fc.oneof(fc.dictionary(fc.constantFrom('data', 'a', '"', '\\', 'é'), fc.jsonValue()), fc.jsonValue()),
  );
  fc.assert(
    fc.property(items, fc.constantFrom(undefined, 1, '\t'), (events, indent) => {
      const parsed: unknown[] = JSON.parse(JSON.stringify(events));
      const slices = dataOfItems(Buffer.from(JSON.stringify({ events }, null, indent)));
      const wanted = parsed.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? Reflect.get(item, 'data') : undefined,
      );
      expect(slices.map((slice) => (slice === undefined ? undefined : JSON.parse(slice.toString())))).toEqual(wanted);
    }),
  );
});
