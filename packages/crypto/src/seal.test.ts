import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { open, parseSealingKeys, seal } from './seal.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const first = `k1:${newKey()}`;
const second = `k2:${newKey()}`;
const keys = parseSealingKeys(first);
const anyBytes = fc.uint8Array({ maxLength: 600 });

describe('a sealed value', () => {
  test('opens to the same bytes under the same key and context', () => {
    fc.assert(
      fc.property(anyBytes, fc.string({ unit: 'grapheme' }), (plaintext, context) => {
        expect(open(keys, seal(keys, plaintext, context), context)).toEqual({
          kind: 'opened',
          plaintext: Buffer.from(plaintext),
        });
      }),
    );
  });

  test('does not open once any bit of it is changed', () => {
    const sealed = seal(keys, Buffer.from('{"amount":1}'), 'event:1');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Buffer.from(sealed);
      const place = Math.floor(bit / 8);
      altered.writeUInt8(altered.readUInt8(place) ^ (1 << (bit % 8)), place);
      expect(open(keys, altered, 'event:1').kind).toBe('unreadable');
    }
  });

  test('does not open when cut off anywhere or lengthened', () => {
    const sealed = seal(keys, Buffer.from('body'), 'event:1');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(open(keys, sealed.subarray(0, length), 'event:1')).toMatchObject({ kind: 'unreadable' });
    }
    expect(open(keys, Buffer.concat([sealed, Buffer.of(0)]), 'event:1').kind).toBe('unreadable');
  });

  test('does not open in another row', () => {
    fc.assert(
      fc.property(anyBytes, fc.uuid(), fc.uuid(), (plaintext, row, other) => {
        fc.pre(row !== other);
        const opened = open(keys, seal(keys, plaintext, `event:${row}`), `event:${other}`);
        expect(opened).toEqual({ kind: 'unreadable', reason: 'corrupt' });
      }),
    );
  });

  test('does not open with another key id written into it, even if both keys are the same', () => {
    const material = newKey();
    const sealed = seal(parseSealingKeys(`a:${material}`), Buffer.from('body'), 'event:1');
    sealed.write('b', 2);
    const opened = open(parseSealingKeys(`b:${material}`), sealed, 'event:1');
    expect(opened).toEqual({ kind: 'unreadable', reason: 'corrupt' });
  });

  test('never contains its plaintext, and differs each time', () => {
    const plaintext = Buffer.from('a canary that must not be seen');
    const sealed = seal(keys, plaintext, 'event:1');
    expect(sealed.includes(plaintext.subarray(0, 8))).toBe(false);
    expect(sealed.equals(seal(keys, plaintext, 'event:1'))).toBe(false);
  });

  test('has a unique nonce, however many values are sealed', () => {
    const nonces = Array.from({ length: 1_000 }, () => seal(keys, Buffer.of(1), 'c').toString('hex', 4, 16));
    expect(new Set(nonces).size).toBe(1_000);
  });

  // Sealed by other code, which follows the layout and derivation in seal.ts.
  test('of version 1 opens in every later release', () => {
    const fixed = parseSealingKeys('k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
    const sealed = Buffer.from(
      '01026b31000102030405060708090a0b7612a44a793fb12f71d003470c85ce9995ead31f53aafc0432892ef2',
      'hex',
    );
    const opened = open(fixed, sealed, 'event:018f0000-0000-7000-8000-000000000001');
    expect(opened).toEqual({ kind: 'opened', plaintext: Buffer.from('{"amount":1}') });
  });

  test('is distinguished from arbitrary bytes without an exception', () => {
    fc.assert(fc.property(anyBytes, (bytes) => open(keys, bytes, 'event:1').kind === 'unreadable'));
  });
});

describe('rotation', () => {
  test('the first key seals and every configured key opens', () => {
    const rotated = parseSealingKeys(`${second},${first}`);
    const older = seal(keys, Buffer.from('old'), 'c');
    const newer = seal(rotated, Buffer.from('new'), 'c');
    expect(open(rotated, older, 'c').kind).toBe('opened');
    expect(open(rotated, newer, 'c').kind).toBe('opened');
    expect(newer.subarray(2, 4).toString()).toBe('k2');
  });

  test('a value of a removed key is unknown_key', () => {
    const sealed = seal(keys, Buffer.from('old'), 'c');
    expect(open(parseSealingKeys(second), sealed, 'c')).toEqual({ kind: 'unreadable', reason: 'unknown_key' });
  });

  test('another key under the same id does not open', () => {
    const sealed = seal(keys, Buffer.from('old'), 'c');
    const sameId = parseSealingKeys(`k1:${newKey()}`);
    expect(open(sameId, sealed, 'c')).toEqual({ kind: 'unreadable', reason: 'corrupt' });
  });
});

describe('the setting', () => {
  test('may have spaces and line ends around its entries', () => {
    expect(parseSealingKeys(` ${first} ,\n${second}\n`).byId.size).toBe(2);
  });

  test.each([
    ['no text', '', /^key 1 must be written id:base64/],
    ['no id', newKey(), /^key 1 must be written id:base64/],
    ['an empty id', `:${newKey()}`, /^key 1 must be written id:base64/],
    ['an id in capitals', `K1:${newKey()}`, /^key 1 must be written id:base64/],
    ['an id of 17 characters', `${'a'.repeat(17)}:${newKey()}`, /^key 1 must be written id:base64/],
    ['a comma at the end', `${first},`, /^key 2 must be written id:base64/],
    ['a key of 31 bytes', `k1:${randomBytes(31).toString('base64')}`, /^key 1 must be 32 bytes/],
    ['a key of 33 bytes', `k1:${randomBytes(33).toString('base64')}`, /^key 1 must be 32 bytes/],
    ['a key without its padding', first.slice(0, -1), /^key 1 must be 32 bytes/],
    ['a foreign character in a key', `${first}!`, /^key 1 must be 32 bytes/],
    ['a bad second key', `${first},k2:`, /^key 2 must be 32 bytes/],
    ['the same id twice', `${first},k1:${newKey()}`, /^two keys have the same id$/],
  ])('is refused with %s, and the error names the rule', (_, text, rule) => {
    expect(() => parseSealingKeys(text)).toThrow(rule);
  });

  test('is never repeated by its errors', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{12,40}$/), (canary) => {
        for (const text of [canary, `k1:${canary}`, `${canary}:${newKey()}`, `${first},${canary}`]) {
          expect(messageOf(text)).not.toContain(canary);
        }
      }),
    );
  });

  test('never shows its keys when printed or written as JSON', () => {
    const material = newKey();
    const hex = Buffer.from(material, 'base64').toString('hex');
    const parsed = parseSealingKeys(`k1:${material}`);
    const shown = inspect(parsed, { depth: 10, showHidden: true }) + JSON.stringify([...parsed.byId.values()]);
    expect(shown.replaceAll(' ', '')).not.toContain(hex.slice(0, 8));
    expect(shown).not.toContain(material.slice(0, 8));
  });
});

function messageOf(text: string): string {
  try {
    parseSealingKeys(text);
  } catch (error) {
    return String(error);
  }
  throw new Error('the setting was not refused');
}
