import { expect, test } from '@jest/globals';
import { shownText } from './shown-text.ts';

test('characters that turn the direction are shown as their code, others as they are', () => {
  expect(shownText('a\u202egnp.exe שלום', false)).toEqual({ text: 'a⟨U+202E⟩gnp.exe שלום', rest: 0 });
});

test('a long text is shown in part until all of it is asked for', () => {
  const text = 'x'.repeat(1_000_000);
  expect(shownText(text, false)).toEqual({ text: 'x'.repeat(100_000), rest: 900_000 });
  expect(shownText(text, true)).toEqual({ text, rest: 0 });
});
