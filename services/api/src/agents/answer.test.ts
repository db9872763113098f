import { expect, test } from '@jest/globals';
import { beginningOf } from './answer.ts';

test.each([
  ['a', 'abc'],
  ['語', '語語語'],
  ['😀', '😀😀'],
  ['"\n', '"\n"\n'],
])('the beginnings of a text of %j, one after the other, are the text', (_, some) => {
  const text = some.repeat(500);
  const bytesOf = (part: string) => Buffer.byteLength(JSON.stringify(part));
  const parts: string[] = [];
  for (let from = 0; from < text.length; from += parts.at(-1)?.length ?? 0) {
    parts.push(beginningOf(text.slice(from, from + 301), 400, bytesOf));
  }
  expect(parts.join('')).toBe(text);
  expect(Math.max(...parts.map(bytesOf))).toBeLessThanOrEqual(400);
  // Half a character would become another one.
  expect(parts.every((part) => Buffer.from(part).toString() === part)).toBe(true);
});
