import type { DocumentEndpoint, WorkspaceChange } from '@posthorn/contract/apply';
import { sealContext } from '@posthorn/crypto/contexts';
import { storedCredentials, storedHeaders } from '../endpoints/endpoint-audit.ts';
import { type GivenValues, isSameName, openSealed, type SealedValues } from '../endpoints/sealed-values.ts';
import { currentSecret } from '../endpoints/secrets.ts';
import { changed, REDACTED } from './fields.ts';
import type { EndpointBefore, KeptSecrets } from './read-endpoints.ts';
import type { Work } from './work.ts';

/** How the secrets of an endpoint differ. They are in no plan: its fields only name them. */
export type SecretChanges = {
  secret: string | undefined;
  secretHeaders: GivenValues | undefined;
  credentials: GivenValues | undefined;
  /** The fields for HTTP Basic credentials in a PATCH. */
  auth: Pick<DocumentEndpoint, 'authUsername' | 'authPassword'> | undefined;
  fields: WorkspaceChange['fields'];
};

/**
 * Compares the secrets of the document with the stored ones. For a caller who may not see secrets, a stored signing
 * secret counts as the same. Without `comparesStored`, so does every other stored value: a plan would otherwise tell
 * whether a guess is right. With `moves`, the endpoint gets another URL, to which stored values are not sent.
 */
export function compareSecrets(
  { ctx, prune, comparesStored }: Pick<Work, 'ctx' | 'prune' | 'comparesStored'>,
  one: DocumentEndpoint,
  { before, moves, kept = {} }: { before: EndpointBefore; moves: boolean; kept?: KeptSecrets | undefined },
): SecretChanges {
  const { sealingKeys, sees } = ctx;
  const isOther = (sealed: string | Uint8Array, value: string, context: string) =>
    comparesStored && openSealed(sealingKeys, sealed, context) !== value;
  const compare = (field: keyof KeptSecrets, stored: SealedValues, contextOf: (name: string) => string) =>
    compareValues({
      ...{ stored, given: one[field], prune, kept: kept[field] },
      isOther: (name, sealed, value) => isOther(sealed, value, contextOf(name)),
    });
  const [headers, credentials] = [storedHeaders(before), storedCredentials(before)];
  const headersThere = compare('secretHeaders', headers, (name) => sealContext.secretHeader(before.id, name));
  const credentialsThere = compare('credentials', credentials, (name) =>
    sealContext.endpointCredential(before.id, name),
  );
  const auth = compareAuth(one, { before, moves }, (sealed, value) =>
    isOther(sealed, value, sealContext.endpointPassword(before.id)),
  );
  const hasOtherSecret =
    one.secret !== undefined && sees.secrets && one.secret !== currentSecret(sealingKeys, before.secrets);
  const fieldsFor = (field: string, stored: GivenValues, values: [string, string | null][]) =>
    values.map(([name, value]) => {
      const from = valueNamed(stored, name) === undefined ? null : REDACTED;
      return changed(`${field}.${name}`, from, value === null ? null : REDACTED);
    });
  const bodyOf = (given: GivenValues | undefined, values: [string, string | null][]) =>
    values.length === 0 && !moves ? undefined : given && { ...Object.fromEntries(values), ...given };
  return {
    secret: hasOtherSecret ? one.secret : undefined,
    secretHeaders: bodyOf(one.secretHeaders, headersThere),
    credentials: bodyOf(one.credentials, credentialsThere),
    auth: auth.body,
    fields: [
      ...auth.fields,
      ...(hasOtherSecret ? [changed('secret', REDACTED, REDACTED)] : []),
      ...fieldsFor('secretHeaders', headers, headersThere),
      ...fieldsFor('credentials', credentials, credentialsThere),
    ],
  };
}

/** The values that differ, by name; null for one that is removed. With `prune`, only the given and the kept ones stay. */
export function compareValues({
  stored,
  given,
  prune,
  kept = [],
  isOther,
}: {
  stored: SealedValues;
  given: GivenValues | undefined;
  prune: boolean;
  kept?: readonly string[] | undefined;
  isOther: (name: string, sealed: string, value: string) => boolean;
}): [string, string | null][] {
  if (given === undefined) return [];
  return [
    ...Object.entries(given).filter(([name, value]) => {
      const sealed = valueNamed(stored, name);
      if (value === null || sealed === undefined) return value !== null || sealed !== undefined;
      return isOther(name, sealed, value);
    }),
    ...Object.keys(stored).flatMap((name): [string, null][] => {
      const stays = !prune || kept.some((one) => isSameName(one, name)) || valueNamed(given, name) !== undefined;
      return stays ? [] : [[name, null]];
    }),
  ];
}

/** HTTP Basic credentials: null in either field removes both. */
function compareAuth(
  { authUsername, authPassword }: DocumentEndpoint,
  { before, moves }: { before: EndpointBefore; moves: boolean },
  isOther: (sealed: Uint8Array, value: string) => boolean,
): { body: SecretChanges['auth']; fields: SecretChanges['fields'] } {
  const sealed = before.authPasswordSealed;
  const stored = sealed === null ? null : REDACTED;
  if (authUsername === null || authPassword === null) {
    if (before.authUsername === null) return { body: undefined, fields: [] };
    const fields = [changed('authUsername', before.authUsername, null), changed('authPassword', stored, null)];
    return { body: { authUsername: null }, fields };
  }
  const hasOtherName = authUsername !== undefined && authUsername !== before.authUsername;
  const hasOtherPassword = authPassword !== undefined && (sealed === null || isOther(sealed, authPassword));
  const isGiven = authUsername !== undefined || authPassword !== undefined;
  return {
    body: isGiven && (hasOtherName || hasOtherPassword || moves) ? { authUsername, authPassword } : undefined,
    fields: [
      ...(hasOtherName ? [changed('authUsername', before.authUsername, authUsername)] : []),
      ...(hasOtherPassword ? [changed('authPassword', stored, REDACTED)] : []),
    ],
  };
}

/** Names of headers differ in more than case; names of credentials have one case. */
function valueNamed<Value>(values: Record<string, Value>, name: string): Value | undefined {
  return Object.entries(values).find(([key]) => isSameName(key, name))?.[1];
}
