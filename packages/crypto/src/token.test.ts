import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { digestToken, newToken, parseToken, type TokenKind, tokenPreview } from './token.ts';

const kinds: [TokenKind, string][] = [
  ['management', 'phm_'],
  ['apiKey', 'phk_'],
  ['session', 'phs_'],
  ['portal', 'php_'],
];

test.each(kinds)('a new %s token begins with %s and is parsed as that kind', (kind, prefix) => {
  const token = newToken(kind);
  expect(token.startsWith(prefix)).toBe(true);
  expect(parseToken(token)).toEqual({ kind, token });
});

test('a thousand tokens differ and use every character of the alphabet in every random position', () => {
  const tokens = Array.from({ length: 1000 }, () => newToken('apiKey'));
  expect(new Set(tokens).size).toBe(1000);
  for (let place = 4; place < 44; place += 1) {
    expect(new Set(tokens.map((token) => token.charAt(place))).size).toBe(32);
  }
});

// Issued by other code: the checksum is the CRC-32 of the text before it, lowest five bits first.
test('a token issued once is well formed in every later release', () => {
  const token = 'phk_0123456789abcdefghjkmnpqrstvwxyz01234567beafhn0';
  expect(parseToken(token)).toEqual({ kind: 'apiKey', token });
});

describe('a token is refused without a look-up', () => {
  test('with any one character changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds.map(([kind]) => kind)),
        fc.nat({ max: 50 }),
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
        (kind, place, character) => {
          const token = newToken(kind);
          fc.pre(token.charAt(place) !== character);
          expect(parseToken(token.slice(0, place) + character + token.slice(place + 1))).toBeUndefined();
        },
      ),
    );
  });

  test('with any one character changed to another of the alphabet, in every position', () => {
    const token = newToken('management');
    for (let place = 0; place < token.length; place += 1) {
      for (const character of '0123456789abcdefghjkmnpqrstvwxyz') {
        if (token.charAt(place) === character) continue;
        expect(parseToken(token.slice(0, place) + character + token.slice(place + 1))).toBeUndefined();
      }
    }
  });

  test('under the prefix of another kind', () => {
    for (const [kind] of kinds) {
      for (const [other, prefix] of kinds) {
        if (other !== kind) expect(parseToken(prefix + newToken(kind).slice(4))).toBeUndefined();
      }
    }
  });

  test('truncated, lengthened, in capitals or with space around it', () => {
    const token = newToken('session');
    for (const text of [token.slice(0, -1), `${token}0`, token.toUpperCase(), ` ${token}`, `${token}\n`, '']) {
      expect(parseToken(text)).toBeUndefined();
    }
  });

  test('when it is any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => parseToken(text) === undefined));
  });
});

test('the digest is the 32 bytes of SHA-256', () => {
  const token = newToken('portal');
  expect(digestToken(token)).toEqual(createHash('sha256').update(token).digest());
  expect(digestToken(token)).toHaveLength(32);
});

test('the preview shows the prefix and the last four characters', () => {
  const token = newToken('apiKey');
  expect(tokenPreview(token)).toBe(`phk_…${token.slice(-4)}`);
});
