import { afterEach, expect, test } from '@jest/globals';
import { loadLanguage, speak } from '../language/language.ts';
import { noDeliveryWords, whyNoDelivery } from './no-delivery-words.ts';

afterEach(() => speak('en', {}));

test('what stands instead of the counts of a message without deliveries is in the language of the page', async () => {
  const statuses = ['scheduled', 'matching', 'matched', 'unmatched', 'cancelled'] as const;
  expect(statuses.map(noDeliveryWords)).toEqual(['not yet', 'not yet', 'none', 'none', 'cancelled']);
  await loadLanguage('de');
  expect(statuses.map(noDeliveryWords)).toEqual(['noch nicht', 'noch nicht', 'keine', 'keine', 'abgebrochen']);
});

test.each([
  ['scheduled', 'It will be sent at its time.'],
  ['matching', 'It is being matched with your endpoints.'],
  ['cancelled', 'It was cancelled before it was sent.'],
] as const)('a message that is %s does not blame the endpoints', (status, description) => {
  expect(whyNoDelivery({ status, published: true })).toMatchObject({ description });
});

test('a message that no endpoint matched says what an endpoint must be, unless its type was not published', () => {
  const { description } = whyNoDelivery({ status: 'unmatched', published: true });
  expect(description).toMatch(/active and subscribes to the type.*filter/);
  expect(whyNoDelivery({ status: 'unmatched', published: false }).description).toMatch(/event catalogue/);
});

test('a message that matched does not say that none did: an endpoint that has been deleted may have got it', () => {
  const { description } = whyNoDelivery({ status: 'matched', published: true });
  expect(description).toBe('None of your present endpoints has it. An endpoint that has been deleted may have got it.');
});
