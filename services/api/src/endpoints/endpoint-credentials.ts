import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { sealContext } from '@posthorn/crypto/contexts';
import type { SealingKeys } from '@posthorn/crypto/seal';
import { hasDestination, hasMoved, requireKind, settingsOf } from '@posthorn/destinations/kinds';
import { nearestName } from '@posthorn/runtime/nearest-name';
import { z } from 'zod';
import { parseInput } from '../operation/parse.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { changeSealed, type GivenValues, openSealed, type SealedValues } from './sealed-values.ts';

type CredentialsChange = {
  endpointId: string;
  type: string;
  before: SealedValues;
  given: GivenValues | undefined;
  /** The names whose stored values must not be sent to the new place of the endpoint. */
  dropped: readonly string[];
};

/** The column after the change. `validation_error` for a name that the type does not take. */
export function changeCredentials(
  keys: SealingKeys,
  { endpointId, type, before, given = {}, dropped }: CredentialsChange,
): SealedValues {
  const taken = Object.keys(requireKind(type).credentials?.shape ?? {});
  const after = Object.fromEntries(Object.entries(before).filter(([name]) => !dropped.includes(name)));
  for (const name of Object.keys(given)) {
    if (!taken.includes(name)) throw notTaken(`credentials.${name}`, { type, near: nearestName(name, taken) });
  }
  return changeSealed(keys, after, given, (name) => sealContext.endpointCredential(endpointId, name));
}

function notTaken(field: string, { type, near }: { type: string; near: string | undefined }): ApiError {
  const hint = near === undefined ? '' : `; did you mean "credentials.${near}"?`;
  return invalid(`${field} is not a credential of a ${type} endpoint${hint}`, field);
}

type Checked = {
  endpointId: string;
  type: string;
  config: EndpointConfig;
  credentials: SealedValues;
  now: Date;
  /** The stored config of the endpoint. */
  stored?: EndpointConfig;
};

/** Refuses a config and credentials that cannot be used together. */
export function checkEndpointCredentials(keys: SealingKeys, { endpointId, type, ...given }: Checked): void {
  const kind = requireKind(type);
  const { checkCredentials, credentials } = kind;
  const isStrict = hasDestination(kind) && credentials !== null;
  if (checkCredentials === undefined && !isStrict) return;
  const opened = Object.entries(given.credentials).map(([name, sealed]): [string, string] => {
    const value = openSealed(keys, sealed, sealContext.endpointCredential(endpointId, name));
    if (value !== undefined) return [name, value];
    throw new ApiError(
      'validation_error',
      `credentials.${name} cannot be decrypted with the present keys: set it again`,
    );
  });
  // All of them together must be what the kind asks for.
  if (isStrict) parseInput(z.object({ credentials }), { credentials: Object.fromEntries(opened) });
  const fault = checkCredentials?.(given.config, Object.fromEntries(opened), given.now, given.stored);
  if (fault !== undefined) throw invalid(`${fault.field} ${fault.message}`, fault.field);
}

/**
 * The names of the credentials that an endpoint loses when it moves to another server, account or region, or to a token
 * endpoint of another origin. Credentials belong to the place for which they were given.
 */
export function droppedBy(
  type: string,
  before: { url: string; config: EndpointConfig },
  after: { url: string; config: EndpointConfig },
): readonly string[] {
  const kind = requireKind(type);
  if (hasMoved(kind, settingsOf(kind, before.config), settingsOf(kind, after.config))) {
    return Object.keys(kind.credentials?.shape ?? {});
  }
  // The receiver gets the token, so credentials of tokens are dropped, too.
  if (new URL(before.url).origin !== new URL(after.url).origin) return [...OF_TOKENS, 'tlsClientKey'];
  const [from, to] = [before.config.oauth2?.tokenUrl, after.config.oauth2?.tokenUrl];
  if (from === undefined || to === undefined) return [];
  return new URL(from).origin === new URL(to).origin ? [] : OF_TOKENS;
}

const OF_TOKENS = ['oauth2ClientSecret', 'oauth2PrivateKey'];
