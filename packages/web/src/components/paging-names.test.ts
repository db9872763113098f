import { afterEach, expect, test } from '@jest/globals';
import { loadLanguage, speak } from '../language/language.ts';
import { pagingNames } from './paging-names.ts';

afterEach(() => speak('en', {}));

test('the buttons of a pagination that show an arrow alone have a name, in the language of the page', async () => {
  expect(pagingNames('previous')).toEqual({ 'aria-label': 'Previous page' });
  await loadLanguage('de');
  expect(pagingNames('next')).toEqual({ 'aria-label': 'Nächste Seite' });
});
