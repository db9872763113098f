import { emailAddress } from '@posthorn/contract/accounts';
import { LIMITS } from '@posthorn/contract/limits';
import { CONTROL_OR_LONE_SURROGATE, name as displayName } from '@posthorn/contract/primitives';

/** A person as the provider describes them. `issuer` and `subject` stay the same; the rest may change. */
export type Identity = { issuer: string; subject: string; email: string; name: string; groups: readonly string[] };

export type ReadIdentity = { kind: 'identity'; identity: Identity } | { kind: 'refused'; reason: string };

type Claims = Readonly<Record<string, unknown>>;

const LONGEST_SUBJECT = 255;
const MOST_GROUPS = 1_000;

/** Reads the claims of a verified ID token. Without a verified email nobody is let in. */
export function readIdentity(claims: Claims, groupsClaim: string | undefined): ReadIdentity {
  const { iss, sub } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || !canBeKept(sub)) {
    return refused('the provider names no subject that can be kept');
  }
  const email = emailAddress.safeParse(claims.email);
  if (!email.success) return refused('the provider gives no email address: it needs the scope email');
  if (!isVerified(claims)) return refused(`the provider has not verified the address ${email.data}`);
  const groups = groupsClaim === undefined ? [] : readGroups(claims[groupsClaim]);
  return {
    kind: 'identity',
    identity: { issuer: iss, subject: sub, email: email.data, name: readName(claims, email.data), groups },
  };
}

function canBeKept(subject: string): boolean {
  return subject !== '' && subject.length <= LONGEST_SUBJECT && !CONTROL_OR_LONE_SURROGATE.test(subject);
}

function refused(reason: string): ReadIdentity {
  return { kind: 'refused', reason };
}

/** Entra has `xms_edov` instead of the standard claim: the owner of the address's domain is verified. */
function isVerified({ email_verified: verified, xms_edov: domainVerified }: Claims): boolean {
  return says(verified ?? domainVerified);
}

/** Some providers write the claim as a text or a number. */
function says(claim: unknown): boolean {
  return ['true', '1'].includes(String(claim).toLowerCase());
}

/** The provider's name for the person, or the part of the email before the `@` when that name has nothing visible. */
function readName({ name }: Claims, email: string): string {
  const given = typeof name === 'string' ? name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim() : '';
  const shown = displayName.safeParse(firstOf(given.normalize('NFC')));
  return shown.success ? shown.data : firstOf(email.slice(0, email.indexOf('@')));
}

function firstOf(text: string): string {
  return [...text].slice(0, LIMITS.nameCharacters).join('');
}

function readGroups(claim: unknown): string[] {
  const given = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim : [];
  return given.filter((name): name is string => typeof name === 'string').slice(0, MOST_GROUPS);
}
