import { isLocalUrl } from './local-url.ts';
import { parseUrl } from './parse-url.ts';

/** Every password and key that this project's files have ever contained. They are public. */
const PUBLISHED = new Set([
  'change-me',
  'change-me-at-least-once',
  'posthorn-trial',
  'REPLACE_WITH_32_BYTES_IN_BASE64',
  '2PKb3F9pouAiSB0A8QZ7c7d3zxby7ijs8c+z/Mk8AYE=',
  'TVGqAwdDagQF9B6WAb0KrZlwk1PfyybqTA86id4ssPI=',
]);

/**
 * Returns a fault for each setting that is, or contains, a published secret, unless `BASE_URL` is local. It repeats no
 * value.
 */
export function knownSecretFaults(given: Record<string, string>): string[] {
  const { BASE_URL } = given;
  if (BASE_URL === undefined || parseUrl(BASE_URL) === undefined || isLocalUrl(BASE_URL)) return [];
  return Object.entries(given)
    .filter(([, value]) => secretsIn(value).some((secret) => PUBLISHED.has(secret)))
    .map(
      ([name]) => `${name} is a secret that this project has published: make one of your own, or set a local BASE_URL`,
    );
}

/** The value itself, each key of a list such as `id:key,id:key`, and the password of a URL. */
function secretsIn(value: string): string[] {
  const keys = value.split(',').map((part) => part.slice(part.indexOf(':') + 1).trim());
  // Not `new URL`: it refuses the URL of a Redis Cluster or of sentinels, which has several hosts.
  const password = /^[a-z+]{1,30}:\/\/[^/@:]*:([^/@]*)@/.exec(value)?.[1] ?? '';
  return [value, ...keys, password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // It is reported as a fault of its setting.
  }
}
