const MOST = 50;

/** A slug for a name: lower case letters and digits, with hyphens for everything else. */
export function slugOf(name: string): string {
  const parts = name.toLowerCase().split(/[^a-z0-9]/);
  // The cut may leave a hyphen at the end, which a slug may not have.
  return parts.filter(Boolean).join('-').slice(0, MOST).replace(/-$/, '');
}
