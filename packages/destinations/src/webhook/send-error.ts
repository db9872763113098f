import type { SendErrorCode, SendFailure } from '../failure.ts';
import { tunnelErrorCode } from '../tunnel.ts';
import { egressErrorCode } from './egress-agent.ts';
import { textOf, tlsFaultOf } from './tls-fault.ts';

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
    case tunnelErrorCode.proxy:
      return failure(
        'proxy_error',
        'The sending service could not connect through its proxy',
        textOf(error, 'message'),
      );
    case tunnelErrorCode.refused:
      return failure('connection_refused', 'The proxy refused to connect to the endpoint', textOf(error, 'message'));
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
  const fault = tlsFaultOf(error);
  if (fault !== undefined) return failure('tls_error', `${fault.said}. ${fault.advice}`);
  if (code.startsWith('HPE_')) return failure('protocol_error', 'The answer is not valid HTTP', code);
  return failure('internal', 'The request could not be made', code);
}

/** The limit for an answer's status line and headers together. */
export const MAX_HEADER_BYTES = 16_384;

export const blockedAddress: SendFailure = {
  errorCode: 'blocked_address',
  message: 'The URL points to a private or reserved address, or to a refused port',
  ends: 'blocked_address',
};

const UNREACHABLE = /^E(HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|ACCES|PERM)$/;
const RESET = /^(ECONNRESET|ECONNABORTED|EPIPE)$/;
function failure(errorCode: SendErrorCode, text: string, detail = ''): SendFailure {
  return { errorCode, message: detail === '' ? text : `${text} (${detail})` };
}
