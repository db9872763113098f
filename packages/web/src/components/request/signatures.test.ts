import { expect, test } from '@jest/globals';
import { getsRequests, type Signature, signatureChoices } from './signatures.ts';

const groups = (signature: Signature, takesOthers: boolean) =>
  signatureChoices(signature, takesOthers).map(({ items }) => items[0]?.value);

test('the signatures of other services are offered only where requests are sent, and where one is set', () => {
  expect(groups('standard', true)).toEqual(['standard', 'svix']);
  expect(groups('standard-ed25519', false)).toEqual(['standard']);
  expect(groups('stripe', false)).toEqual(['standard', 'svix']);
  expect(groups({ scheme: 'hmac', header: 'X-Sig' }, true)).toEqual(['standard', 'svix', 'hmac']);
});

test('requests are sent to an endpoint without a broker and without a consumer', () => {
  expect(getsRequests({ config: {}, pull: null })).toBe(true);
  expect(getsRequests({ config: { destination: {} }, pull: null })).toBe(false);
  expect(getsRequests({ config: {}, pull: {} })).toBe(false);
});
