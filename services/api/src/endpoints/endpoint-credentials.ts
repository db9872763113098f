import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import { hasDestination, hasMoved, requireKind, settingsOf } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { nearestName } from '../operation/nearest-name.ts';
import { parseInput } from '../operation/parse.ts';
import { ApiError, invalid } from '../transport/error.ts';

/** The column: by name, the sealed value in base64. */
export type SealedCredentials = Record<string, string>;

type CredentialsChange = {
  endpointId: string;
  type: string;
  before: SealedCredentials;
  /** By name, the new value, or null to remove it; undefined changes nothing. */
  given: Record<string, string | null> | undefined;
  /** The names whose stored values are not sent to where the endpoint moves. */
  dropped: readonly string[];
};

/** The column after the change. A name that the type does not take is `validation_error`. */
export function changeCredentials(
  keys: SealingKeys,
  { endpointId, type, before, given = {}, dropped }: CredentialsChange,
): SealedCredentials {
  const taken = Object.keys(requireKind(type).credentials?.shape ?? {});
  const after = Object.fromEntries(Object.entries(before).filter(([name]) => !dropped.includes(name)));
  for (const [name, value] of Object.entries(given)) {
    const field = `credentials.${name}`;
    if (!taken.includes(name)) throw notTaken(field, { type, near: nearestName(name, taken) });
    if (value === null) delete after[name];
    else {
      const context = sealContext.endpointCredential(endpointId, name);
      after[name] = seal(keys, Buffer.from(value, 'utf8'), context).toString('base64');
    }
  }
  return after;
}

function notTaken(field: string, { type, near }: { type: string; near: string | undefined }): ApiError {
  const hint = near === undefined ? '' : `; did you mean "credentials.${near}"?`;
  return invalid(`${field} is not a credential of a ${type} endpoint${hint}`, field);
}

type Checked = {
  endpointId: string;
  type: string;
  config: EndpointConfig;
  credentials: SealedCredentials;
  now: Date;
  /** The config that the endpoint has. */
  stored?: EndpointConfig;
};

/** Refuses a config and credentials that cannot be used together. */
export function checkEndpointCredentials(keys: SealingKeys, { endpointId, type, ...given }: Checked): void {
  const kind = requireKind(type);
  const { checkCredentials, credentials } = kind;
  const isStrict = hasDestination(kind) && credentials !== null;
  if (checkCredentials === undefined && !isStrict) return;
  const opened = Object.entries(given.credentials).map(([name, sealed]): [string, string] => {
    const result = open(keys, Buffer.from(sealed, 'base64'), sealContext.endpointCredential(endpointId, name));
    if (result.kind !== 'opened') {
      throw new ApiError(
        'validation_error',
        `credentials.${name} cannot be decrypted with the present keys: set it again`,
      );
    }
    return [name, result.plaintext.toString('utf8')];
  });
  // All of them together must be what the kind asks for.
  if (isStrict) parseInput(z.object({ credentials }), { credentials: Object.fromEntries(opened) });
  const fault = checkCredentials?.(given.config, Object.fromEntries(opened), given.now, given.stored);
  if (fault !== undefined) throw invalid(`${fault.field} ${fault.message}`, fault.field);
}

/**
 * What another server, account or region, or a token endpoint of another origin, must not get: the credentials belong to
 * the one for which they were given.
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
  // The receiver gets the token.
  if (new URL(before.url).origin !== new URL(after.url).origin) return [...OF_TOKENS, 'tlsClientKey'];
  const [from, to] = [before.config.oauth2?.tokenUrl, after.config.oauth2?.tokenUrl];
  if (from === undefined || to === undefined) return [];
  return new URL(from).origin === new URL(to).origin ? [] : OF_TOKENS;
}

const OF_TOKENS = ['oauth2ClientSecret', 'oauth2PrivateKey'];
