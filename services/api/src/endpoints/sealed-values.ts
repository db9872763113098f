import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';

/** The column of an endpoint's secret headers or credentials: by name, the sealed value in base64. */
export type SealedValues = Record<string, string>;

/** The values that a caller gives, by name: a new value, or null to remove the stored one. */
export type GivenValues = Record<string, string | null>;

/** The context to which the value of a name is bound. */
type ContextOf = (name: string) => string;

/** The column after a change. A given name replaces a stored name that differs only in case. */
export function changeSealed(
  keys: SealingKeys,
  before: SealedValues,
  given: GivenValues = {},
  contextOf: ContextOf,
): SealedValues {
  const after = { ...before };
  for (const [name, value] of Object.entries(given)) {
    for (const stored of Object.keys(after)) if (isSameName(stored, name)) delete after[stored];
    if (value !== null) after[name] = seal(keys, Buffer.from(value, 'utf8'), contextOf(name)).toString('base64');
  }
  return after;
}

/** A stored value; undefined where no configured key opens it. */
export function openSealed(keys: SealingKeys, sealed: string | Uint8Array, context: string): string | undefined {
  const bytes = typeof sealed === 'string' ? Buffer.from(sealed, 'base64') : sealed;
  const opened = open(keys, bytes, context);
  return opened.kind === 'opened' ? opened.plaintext.toString('utf8') : undefined;
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
