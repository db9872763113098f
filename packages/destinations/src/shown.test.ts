import { expect, test } from '@jest/globals';
import { shownAcknowledgement, shownText } from './shown.ts';

test('an acknowledgement shows no secret that the server repeats, nothing that a page obeys, and has a bounded length', () => {
  const said = { messageId: 'a canary b\u001b[0m', long: 'x'.repeat(10_000), offset: 7 };
  const shown = shownAcknowledgement(said, { password: 'canary' });
  expect(shown).toMatchObject({ messageId: 'a [redacted] b [0m', offset: 7 });
  expect(String(shown.long)).toHaveLength(500);
});

test('half of a pair of surrogates is replaced, also where the text was cut: it could not be stored', () => {
  expect(shownText('a\ud800b', {})).toBe('a\ufffdb');
  expect(shownText(`${'x'.repeat(498)}${'😀'.repeat(9)}`, {})).toBe(`${'x'.repeat(498)}\ufffd…`);
});
