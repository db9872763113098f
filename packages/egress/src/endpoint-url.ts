import { parseUrl } from '@posthorn/runtime/parse-url';
import type { AddressRules } from './address-rules.ts';
import { isAllowedPort } from './allowed-port.ts';
import { vetLiteralHost } from './literal-host.ts';

/**
 * `url` is the normalised form, to be stored and requested; `host` is its host, without brackets. `message` is for the
 * customer: it names the field and the rule, and no address.
 */
export type EndpointUrl =
  | { readonly kind: 'ok'; readonly url: string; readonly host: string }
  | {
      readonly kind: 'refused';
      readonly reason: 'invalid' | 'forbidden_address';
      /** The rule as a word: `FieldRule` of the contract. */
      readonly rule: UrlRule;
      readonly message: string;
    };

type UrlRule = 'url' | 'https' | 'host' | 'credentials' | 'fragment' | 'port' | 'private_address' | 'length';

/**
 * Parses an endpoint's URL once, by the URL standard, and checks its parts: https only, no credentials, no fragment, at
 * most 2,048 characters, no refused port, and no literal address that the rules forbid, in any notation. A name is not
 * looked up here.
 */
export function parseEndpointUrl(text: string, rules: AddressRules): EndpointUrl {
  // Checked before parsing, so that the work on a hostile text is bounded.
  if (text.length > MAX_LENGTH) return invalid('length', TOO_LONG);
  const url = parseUrl(text);
  if (url === undefined) return invalid('url', 'url must be a valid URL');
  if (url.protocol !== 'https:') return invalid('https', 'Webhook URL must use HTTPS');
  if (url.username !== '' || url.password !== '') return invalid('credentials', 'url must not contain credentials');
  // `#` with an empty fragment shows only in the text.
  if (url.href.includes('#')) return invalid('fragment', 'url must not contain a fragment');
  // The final dot of a fully qualified name has no effect here, and fails the certificate check of some servers.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (!isAllowedPort(url.port)) {
    return { ...forbiddenAddress, rule: 'port', message: `url must not use port ${url.port}` };
  }
  // Normalising may make it longer.
  if (url.href.length > MAX_LENGTH) return invalid('length', TOO_LONG);
  return vetHost(url, rules);
}

/** The refusal of an address. It does not name the address, because that would reveal the operator's network. */
export const forbiddenAddress = {
  kind: 'refused',
  reason: 'forbidden_address',
  rule: 'private_address',
  message: 'url must not point to a private or reserved address',
} as const;

function vetHost(url: URL, rules: AddressRules): EndpointUrl {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = vetLiteralHost(host, rules);
  if (literal?.kind === 'blocked') return forbiddenAddress;
  if (literal === undefined && !isDnsName(host)) return invalid('host', 'url must have a valid host name');
  return { kind: 'ok', url: url.href, host };
}

/** RFC 1035 lengths. The underscore is not allowed in host names by the standard, but is in use. */
function isDnsName(host: string): boolean {
  return host.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(host);
}

function invalid(rule: UrlRule, message: string): EndpointUrl {
  return { kind: 'refused', reason: 'invalid', rule, message };
}

const MAX_LENGTH = 2_048;
const TOO_LONG = 'url must be at most 2,048 characters';
