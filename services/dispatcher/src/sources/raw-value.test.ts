import { describe, expect, test } from '@jest/globals';
import { namesOf, rawValueAt } from './raw-value.ts';

const raw = (json: string, pointer: string) => rawValueAt(Buffer.from(json), namesOf(pointer))?.toString();

describe('the value at a pointer is the bytes as they stand in the text', () => {
  test.each<[string, string, string | undefined]>([
    ['{"a":12345678901234567890}', '/a', '12345678901234567890'],
    ['{"a": 1e400 }', '/a', '1e400'],
    ['{"a":{ "b" : [1.10 , 2] },"c":0}', '/a', '{ "b" : [1.10 , 2] }'],
    ['{"a":{ "b" : [1.10 , 2] },"c":0}', '/a/b/0', '1.10'],
    ['{"a":{ "b" : [1.10 , 2] },"c":0}', '/c', '0'],
    ['{"x":"}],\\"{","a":"\\\\"}', '/a', '"\\\\"'],
    ['{"x":[[],{},[{}]],"a":true}', '/a', 'true'],
    ['{"a":1,"a":2}', '/a', '2'],
    ['{"é\\u0041~/":null}', '/éA~0~1', 'null'],
    ['\n [ 7 ]\t', '', '[ 7 ]'],
    ['[1,[2,"x"]]', '/1/1', '"x"'],
    ['17', '', '17'],
    ['[1]', '/1', undefined],
    ['[1]', '/00', undefined],
    ['[1]', '/length', undefined],
    ['[1]', '/-', undefined],
    ['"text"', '/0', undefined],
    ['{}', '/a', undefined],
    ['[]', '/0', undefined],
  ])('%s has at %j: %s', (json, pointer, expected) => {
    expect(raw(json, pointer)).toBe(expected);
  });

  test('bytes that are no UTF-8 stay as they are', () => {
    const json = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff, 0xc3), Buffer.from('","b":1}')]);
    expect(rawValueAt(json, ['a'])).toEqual(json.subarray(5, 9));
    expect(rawValueAt(json, ['b'])?.toString()).toBe('1');
  });

  test('a text may nest 100,000 levels deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(raw(`{"a":${deep},"b":1}`, '/a')).toBe(deep);
    expect(raw(`{"a":${deep},"b":1}`, '/b')).toBe('1');
  });

  test('what it finds is what JSON.parse finds', () => {
    const value = { 'a/b': [{ c: '"\\{[,' }, [[]], '', null], '': { '': 5, ' ': false }, z: { y: { x: [1, 2, 3] } } };
    const walk = (at: unknown, names: string[]): void => {
      const found = rawValueAt(Buffer.from(JSON.stringify(value, null, 2)), names);
      expect(JSON.parse(found?.toString() ?? 'undefined')).toEqual(at);
      if (typeof at === 'object' && at !== null)
        for (const [name, one] of Object.entries(at)) walk(one, [...names, name]);
    };
    walk(value, []);
  });
});
