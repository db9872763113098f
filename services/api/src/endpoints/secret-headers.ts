import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { LIMITS } from '@posthorn/contract/limits';
import { headersOfSignature } from '@posthorn/contract/signature';
import { ApiError, invalid } from '../transport/error.ts';
import { isSameName, type SealedValues } from './sealed-values.ts';

/** Refuses too many secret headers, and headers that would be sent twice: in the config and as secret, or beside credentials. */
export function checkHeaders(
  config: Pick<EndpointConfig, 'headers' | 'signature' | 'oauth2'>,
  secret: SealedValues,
  { hasAuth }: { hasAuth: boolean },
): void {
  const open = Object.keys(config.headers ?? {});
  const names = Object.keys(secret);
  if (names.length > LIMITS.secretHeaders) {
    throw new ApiError('limit_reached', `An endpoint has at most ${LIMITS.secretHeaders} secret headers`);
  }
  const both = names.find((name) => open.some((other) => isSameName(name, other)));
  if (both !== undefined)
    throw invalid(`secretHeaders.${both} must not be in config.headers too`, `secretHeaders.${both}`);
  const signed = headersOfSignature(config.signature);
  const signing = names.find((name) => signed.some((other) => isSameName(name, other)));
  if (signing !== undefined) {
    throw invalid(`secretHeaders.${signing} must not be a header of config.signature`, `secretHeaders.${signing}`);
  }
  if (config.oauth2 !== undefined && hasAuth) {
    throw invalid('config.oauth2 must not be set while the endpoint has a user name and a password', 'config.oauth2');
  }
  if (config.oauth2 !== undefined && names.some(isAuthorization)) {
    throw invalid('secretHeaders must not set authorization together with config.oauth2', 'secretHeaders');
  }
  if (hasAuth && open.some(isAuthorization)) {
    throw invalid('config.headers must not set authorization while the endpoint has credentials', 'config.headers');
  }
  if (hasAuth && names.some(isAuthorization)) {
    throw invalid('secretHeaders must not set authorization while the endpoint has credentials', 'secretHeaders');
  }
}

function isAuthorization(name: string): boolean {
  return isSameName(name, 'authorization');
}
