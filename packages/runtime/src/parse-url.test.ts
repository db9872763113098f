import { expect, test } from '@jest/globals';
import { parseUrl } from './parse-url.ts';

test('a URL with letters of Latin-1 is a URL at each of 100,000 times, and a text that is none never is', () => {
  const refused: number[] = [];
  for (let time = 0; time < 100_000; time += 1) {
    const { hostname, pathname } = parseUrl('https://münchen.example/straße') ?? {};
    if (hostname !== 'xn--mnchen-3ya.example' || pathname !== '/stra%C3%9Fe') refused.push(time);
  }
  expect(refused).toEqual([]);
  expect(['', 'no URL', 'https://', 'https://[1', '/straße'].map(parseUrl)).toEqual(Array(5).fill(undefined));
});
