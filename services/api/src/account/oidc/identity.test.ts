import { expect, test } from '@jest/globals';
import { readIdentity } from './identity.ts';

const claims = { iss: 'https://id.example.com', sub: '1', email: 'Ada@Example.com', email_verified: true };

test('the address is kept as accounts have it, the name and the groups as they are given', () => {
  const read = readIdentity({ ...claims, name: ' Ada\u0000 L. ', groups: ['a', 7, 'b'] }, 'groups');
  const identity = { issuer: claims.iss, subject: '1', email: 'ada@example.com', name: 'Ada L.', groups: ['a', 'b'] };
  expect(read).toEqual({ kind: 'identity', identity });
});

test.each([
  ['is stored in the form NFC', 'Zoe\u0308', 'Zo\u00eb'],
  ['that nobody could see is left out', '\u200b\u2060', 'ada'],
  ['is cut to 200 characters', 'é'.repeat(201), 'é'.repeat(200)],
])('a name %s', (_, name, stored) => {
  expect(readIdentity({ ...claims, name }, undefined)).toMatchObject({ identity: { name: stored } });
});

test.each([
  ['without an address', { email: undefined }],
  ['with an address that is none', { email: 'ada' }],
  ['with an address that only lower case makes ASCII', { email: '\u212aim@example.com' }],
  ['whose address is not verified', { email_verified: false }],
  ['that says nothing of the address', { email_verified: undefined }],
  ['whose address is not verified, as a text', { email_verified: 'false' }],
  ['whose own word is overruled, as a text', { email_verified: 'false', xms_edov: 'true' }],
  ['whose own word is overruled', { email_verified: false, xms_edov: true }],
  ['without a subject', { sub: '' }],
  ['whose subject cannot be stored', { sub: 'a\u0000' }],
])('a token %s is refused', (_, other) => {
  expect(readIdentity({ ...claims, ...other }, undefined).kind).toBe('refused');
});

test.each([true, 1, '1', 'true', 'True'])(
  'the verified domain of Entra counts where the standard claim is missing: %j',
  (xms_edov) => {
    const read = readIdentity({ ...claims, email_verified: undefined, xms_edov }, undefined);
    expect(read).toMatchObject({ kind: 'identity', identity: { name: 'ada', groups: [] } });
  },
);

test.each(['true', 'TRUE'])('an address that is verified by a text counts: %j', (email_verified) => {
  expect(readIdentity({ ...claims, email_verified }, undefined).kind).toBe('identity');
});
