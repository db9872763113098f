import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openCursor, parseCursorKeys, sealCursor } from './cursor.ts';
import { open, parseSealingKeys } from './seal.ts';

const setting = `c1:${randomBytes(32).toString('base64')}`;
const keys = parseCursorKeys(setting);
const base64urlCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a cursor opens to its position', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string(), (position, context) => {
      const plain: unknown = JSON.parse(JSON.stringify(position));
      expect(openCursor(keys, sealCursor(keys, position, context), context)).toEqual(plain);
    }),
  );
});

test('equal positions give different texts, and no text reveals the position', () => {
  const texts = Array.from({ length: 100 }, () => sealCursor(keys, { id: 'canary-position' }, 'deliveries'));
  expect(new Set(texts).size).toBe(100);
  for (const text of texts) {
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(text, 'base64url').includes('canary')).toBe(false);
  }
});

describe('a cursor is refused', () => {
  test('on another list, with other filters or in another workspace', () => {
    const context = 'deliveries|ws_1|status=failed';
    const text = sealCursor(keys, 'dlv_1', context);
    for (const other of ['events|ws_1|status=failed', 'deliveries|ws_2|status=failed', 'deliveries|ws_1|', '']) {
      expect(openCursor(keys, text, other)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (other) => other === context || openCursor(keys, text, other) === undefined));
  });

  // Positions with 1, 2 and 3 more bytes: the last character of base64url then has 0, 2 or 4 unused bits.
  test.each(['d', 'dl', 'dlv'])(
    'with any character changed to any other, in every position (position %j)',
    (position) => {
      const text = sealCursor(keys, position, 'c');
      for (let place = 0; place < text.length; place += 1) {
        for (const character of `${base64urlCharacters}+/= .`) {
          if (text.charAt(place) === character) continue;
          expect(openCursor(keys, text.slice(0, place) + character + text.slice(place + 1), 'c')).toBeUndefined();
        }
      }
    },
  );

  test.each(['d', 'dl', 'dlv'])('with anything added or cut off (position %j)', (position) => {
    const text = sealCursor(keys, position, 'c');
    for (const added of ['=', '==', ' ', '\n', 'A', '\0', '.']) {
      expect(openCursor(keys, text + added, 'c')).toBeUndefined();
      expect(openCursor(keys, added + text, 'c')).toBeUndefined();
    }
    for (let length = 0; length < text.length; length += 1) {
      expect(openCursor(keys, text.slice(0, length), 'c')).toBeUndefined();
    }
  });

  test('when it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => openCursor(keys, text, 'c') === undefined),
    );
  });

  test('once its key is removed, and not while it is among the older ones', () => {
    const text = sealCursor(keys, 'dlv_1', 'c');
    const next = `c2:${randomBytes(32).toString('base64')}`;
    expect(openCursor(parseCursorKeys(`${next},${setting}`), text, 'c')).toBe('dlv_1');
    expect(openCursor(parseCursorKeys(next), text, 'c')).toBeUndefined();
  });
});

test('a cursor never opens as a sealed value of the same context, even with the same keys', () => {
  const text = sealCursor(keys, 'dlv_1', 'c');
  expect(open(parseSealingKeys(setting), Buffer.from(text, 'base64url'), 'c').kind).toBe('unreadable');
});
