import { expect, test } from '@jest/globals';
import { redacting } from './redact.ts';

/** Every text of this length with these letters. */
function textsOf(letters: string, characters: number): string[] {
  if (characters === 0) return [''];
  return textsOf(letters, characters - 1).flatMap((text) => [...letters].map((letter) => text + letter));
}

test('where an answer was cut, the longest beginning of a secret is removed from its end', () => {
  const secrets = textsOf('ab', 6);
  const bodies = textsOf('ab', 7);
  for (const secret of secrets) {
    const redact = redacting([secret]);
    for (const body of bodies) {
      if (body.includes(secret)) continue;
      const begun = [5, 4].find((length) => body.endsWith(secret.slice(0, length))) ?? 0;
      const left = redact?.body({ body: Buffer.from(body), truncated: true }).toString();
      expect([secret, body, left]).toEqual([secret, body, body.slice(0, body.length - begun)]);
    }
  }
});
