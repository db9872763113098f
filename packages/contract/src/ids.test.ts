import { describe, expect, test } from '@jest/globals';
import { fromId, newUuid, toId, uuidTime } from './ids.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

describe('a new UUIDv7', () => {
  test('contains the instant for which it is made', () => {
    expect(uuidTime(newUuid(at(7)))).toEqual(at(7));
  });

  test('sorts in the order of the calls within one millisecond, and after a clock correction of a few milliseconds', () => {
    const ids = [...Array(500).fill(20), ...Array(500).fill(15)].map((ms: number) => newUuid(at(ms)));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(1_000);
  });

  test('no two ids of an instant have the same random part', () => {
    const randomParts = Array.from({ length: 1_000 }, () => newUuid(at(40)).slice(-10));
    expect(new Set(randomParts).size).toBe(1_000);
  });

  test('is not kept ahead by a clock that was ahead once', () => {
    newUuid(at(86_400_000));
    expect(uuidTime(newUuid(at(30)))).toEqual(at(30));
  });
});

test('a public id is decoded to its key, and a text that looks like one but holds no UUID is refused', () => {
  const key = newUuid(at(50));
  expect(fromId('ep', toId('ep', key))).toBe(key);
  expect(fromId('ep', toId('dlv', key))).toBeUndefined();
  // No UUID has this version and variant.
  expect(fromId('ep', 'ep_01h00000000000000000000000')).toBeUndefined();
});
