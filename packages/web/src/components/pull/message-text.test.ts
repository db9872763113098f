import { expect, test } from '@jest/globals';
import { messageText } from './message-text.ts';

test.each([
  ['eyJhIjoiw6kifQ==', '{"a":"é"}'],
  ['', ''],
  ['/w==', '/w=='],
])('%s is shown as %s', (base64, text) => {
  expect(messageText(base64)).toBe(text);
});
