import type { SendErrorCode, SendFailure } from '../failure.ts';
import { egressErrorCode } from './egress-agent.ts';

/**
 * Describes a failure between the service and the endpoint, for the customer. The message has no address and no text
 * that the endpoint controls. An error that is not known to come from the network is `internal`: a fault of the
 * service.
 */
export function describeSendError(error: unknown): SendFailure {
  const code = textOf(error, 'code');
  switch (code) {
    case egressErrorCode.blocked:
      return blockedAddress;
    case egressErrorCode.unresolved:
      return failure('dns_failure', 'The host name could not be resolved', textOf(error, 'message'));
    case 'ETIMEDOUT':
      return failure('timeout', 'The connection timed out', code);
    case 'HPE_HEADER_OVERFLOW':
      return failure('too_large', `The headers of the answer exceed ${MAX_HEADER_BYTES / 1_024} KiB`);
    case 'ECONNREFUSED':
      return failure('connection_refused', 'The connection was refused', code);
  }
  if (UNREACHABLE.test(code)) return failure('connection_refused', 'The endpoint could not be reached', code);
  if (RESET.test(code))
    return failure('connection_reset', 'The connection was closed before the answer was complete', code);
  if (TLS.test(code)) return failure('tls_error', `The TLS connection failed: ${tlsReason(error, code)}`);
  if (code.startsWith('HPE_')) return failure('protocol_error', 'The answer is not valid HTTP', code);
  return failure('internal', 'The request could not be made', code);
}

/** The limit for the status line and the headers of an answer together. */
export const MAX_HEADER_BYTES = 16_384;

export const blockedAddress: SendFailure = {
  errorCode: 'blocked_address',
  message: 'The URL points to a private or reserved address, or to a refused port',
  ends: 'blocked_address',
};

const UNREACHABLE = /^E(HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|ACCES|PERM)$/;
const RESET = /^(ECONNRESET|ECONNABORTED|EPIPE)$/;
// The certificate errors of OpenSSL have no common prefix.
const TLS =
  /^(EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_(CA|PURPOSE)$|DEPTH_ZERO_|SELF_SIGNED_|PATH_LENGTH_|HOSTNAME_MISMATCH$|UNSPECIFIED$)/;

function failure(errorCode: SendErrorCode, text: string, detail = ''): SendFailure {
  return { errorCode, message: detail === '' ? text : `${text} (${detail})` };
}

function tlsReason(error: unknown, code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another host name';
  // OpenSSL's `reason`, because its messages contain file names.
  const reason = textOf(fieldOf(error, 'cause'), 'reason');
  return /^[\x20-\x7e]{1,120}$/.test(reason) ? reason : code.toLowerCase().replaceAll('_', ' ');
}

function textOf(value: unknown, field: string): string {
  const text = fieldOf(value, field);
  return typeof text === 'string' ? text : '';
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}
