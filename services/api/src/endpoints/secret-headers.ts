import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { LIMITS } from '@posthorn/contract/limits';
import { headersOfSignature } from '@posthorn/contract/signature';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import { ApiError, invalid } from '../transport/error.ts';

/** The column: by name, the sealed value in base64. Names differ in more than case. */
export type SecretHeaders = Record<string, string>;

type HeadersChange = {
  endpointId: string;
  before: SecretHeaders;
  /** By name, the new value, or null to remove the header; undefined changes nothing. */
  given: Record<string, string | null> | undefined;
  /** Whether the endpoint's URL moves to another origin: stored values are not sent there. */
  moves: boolean;
};

/** The column after the change; `limit_reached` when it would have too many headers. */
export function changeSecretHeaders(keys: SealingKeys, { endpointId, before, given, moves }: HeadersChange) {
  const after: SecretHeaders = moves ? {} : { ...before };
  for (const [name, value] of Object.entries(given ?? {})) {
    for (const stored of Object.keys(after)) if (isSame(stored, name)) delete after[stored];
    if (value !== null) after[name] = sealValue(keys, { endpointId, name, value });
  }
  if (Object.keys(after).length > LIMITS.secretHeaders) {
    throw new ApiError('limit_reached', `An endpoint has at most ${LIMITS.secretHeaders} secret headers`);
  }
  return after;
}

function sealValue(
  keys: SealingKeys,
  { endpointId, name, value }: { endpointId: string; name: string; value: string },
) {
  return seal(keys, Buffer.from(value, 'utf8'), sealContext.secretHeader(endpointId, name)).toString('base64');
}

/** Refuses headers that would be sent twice: in the config and as secret, or beside the endpoint's credentials. */
export function refuseHeadersTwice(
  config: Pick<EndpointConfig, 'headers' | 'signature' | 'oauth2'>,
  secret: SecretHeaders,
  { hasAuth }: { hasAuth: boolean },
): void {
  const open = Object.keys(config.headers ?? {});
  const names = Object.keys(secret);
  const both = names.find((name) => open.some((other) => isSame(name, other)));
  if (both !== undefined)
    throw invalid(`secretHeaders.${both} must not be in config.headers too`, `secretHeaders.${both}`);
  const signed = headersOfSignature(config.signature);
  const signing = names.find((name) => signed.some((other) => isSame(name, other)));
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
  return isSame(name, 'authorization');
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
