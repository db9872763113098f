import type { DocumentEndpoint, WorkspaceChange } from '@posthorn/contract/apply';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import { storedCredentials, storedHeaders } from '../endpoints/endpoint-audit.ts';
import { currentSecret } from '../endpoints/secrets.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { changed, REDACTED } from './fields.ts';
import type { EndpointBefore } from './read-endpoints.ts';

type Values = Record<string, string | null>;

/** How the secrets of an endpoint differ. They are in no plan: its fields only name them. */
export type SecretChanges = {
  secret: string | undefined;
  secretHeaders: Values | undefined;
  credentials: Values | undefined;
  fields: WorkspaceChange['fields'];
};

/**
 * Compares with what is stored. For a caller who may not see secrets, a stored one counts as the same: a plan would
 * otherwise tell whether a guess is right. `moves`: the endpoint gets another URL, to which stored values are not sent.
 */
export function compareSecrets(
  ctx: WorkspaceContext,
  one: DocumentEndpoint,
  { before, prune, moves }: { before: EndpointBefore; prune: boolean; moves: boolean },
): SecretChanges {
  const { sealingKeys, sees } = ctx;
  const isOther = (sealed: string, value: string, context: string) => {
    if (!sees.secrets) return false;
    const opened = open(sealingKeys, Buffer.from(sealed, 'base64'), context);
    return opened.kind !== 'opened' || opened.plaintext.toString('utf8') !== value;
  };
  const compare = (stored: Record<string, string>, given: Values | undefined, contextOf: (name: string) => string) =>
    given === undefined
      ? []
      : [
          ...Object.entries(given).filter(([name, value]) => {
            const sealed = valueNamed(stored, name);
            if (value === null || sealed === undefined) return value !== null || sealed !== undefined;
            return isOther(sealed, value, contextOf(name));
          }),
          ...Object.keys(stored).flatMap((name): [string, null][] => {
            return prune && valueNamed(given, name) === undefined ? [[name, null]] : [];
          }),
        ];
  const [headers, credentials] = [storedHeaders(before), storedCredentials(before)];
  const headersThere = compare(headers, one.secretHeaders, (name) => sealContext.secretHeader(before.id, name));
  const credentialsThere = compare(credentials, one.credentials, (name) =>
    sealContext.endpointCredential(before.id, name),
  );
  const hasOtherSecret =
    one.secret !== undefined && sees.secrets && one.secret !== currentSecret(sealingKeys, before.secrets);
  const fieldsFor = (field: string, stored: Values, values: [string, string | null][]) =>
    values.map(([name, value]) => {
      const from = valueNamed(stored, name) === undefined ? null : REDACTED;
      return changed(`${field}.${name}`, from, value === null ? null : REDACTED);
    });
  const bodyOf = (given: Values | undefined, values: [string, string | null][]) =>
    values.length === 0 && !moves ? undefined : given && { ...Object.fromEntries(values), ...given };
  return {
    secret: hasOtherSecret ? one.secret : undefined,
    secretHeaders: bodyOf(one.secretHeaders, headersThere),
    credentials: bodyOf(one.credentials, credentialsThere),
    fields: [
      ...(hasOtherSecret ? [changed('secret', REDACTED, REDACTED)] : []),
      ...fieldsFor('secretHeaders', headers, headersThere),
      ...fieldsFor('credentials', credentials, credentialsThere),
    ],
  };
}

/** Names of headers differ in more than case; names of credentials have one case. */
function valueNamed<Value>(values: Record<string, Value>, name: string): Value | undefined {
  return Object.entries(values).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
