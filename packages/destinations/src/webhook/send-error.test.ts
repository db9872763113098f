import { expect, test } from '@jest/globals';
import type { SendErrorCode } from '../failure.ts';
import { describeSendError } from './send-error.ts';

test.each<[code: string, errorCode: SendErrorCode]>([
  ['ETIMEDOUT', 'timeout'],
  ['ERR_NAME_UNRESOLVED', 'dns_failure'],
  ['ERR_ADDRESS_BLOCKED', 'blocked_address'],
  ['ECONNREFUSED', 'connection_refused'],
  ['EHOSTUNREACH', 'connection_refused'],
  ['ENETUNREACH', 'connection_refused'],
  ['EADDRNOTAVAIL', 'connection_refused'],
  ['EACCES', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['EPROTO', 'tls_error'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_error'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_error'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_error'],
  ['CERT_HAS_EXPIRED', 'tls_error'],
  ['CERT_NOT_YET_VALID', 'tls_error'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_error'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_error'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_error'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_error'],
  ['INVALID_CA', 'tls_error'],
  ['HPE_HEADER_OVERFLOW', 'too_large'],
  ['HPE_INVALID_CONSTANT', 'protocol_error'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'protocol_error'],
  ['ERR_INVALID_CHAR', 'internal'],
  ['EMFILE', 'internal'],
  ['INVALID_SOMETHING', 'internal'],
  ['', 'internal'],
])('%s is %s, with a message that contains only the code of the error', (code, errorCode) => {
  const error = Object.assign(new Error('connect 10.0.0.1:443'), { code, address: '10.0.0.1' });
  const described = describeSendError(error);
  expect(described.errorCode).toBe(errorCode);
  // The message for an unresolved name is the DNS code that the agent set.
  if (errorCode !== 'dns_failure') expect(described.message).not.toContain('10.0.0.1');
});

test('a thrown value that is not an error is internal', () => {
  for (const thrown of [undefined, null, 'text', 7, {}, { code: 7 }]) {
    expect(describeSendError(thrown)).toEqual({ errorCode: 'internal', message: 'The request could not be made' });
  }
});
