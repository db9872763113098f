import { isIP } from 'node:net';
import { type AddressRules, isAllowedAddress } from './address-rules.ts';

/** An address that the rules allow for a connection. */
export type VettedAddress = { readonly address: string; readonly family: 4 | 6 };

/** `blocked` names the first forbidden address: for the log, never for a customer. */
export type VettedHost =
  | { readonly kind: 'ok'; readonly addresses: readonly VettedAddress[] }
  | { readonly kind: 'blocked'; readonly address: string };

/**
 * Checks a URL's host without DNS: a literal address (IPv6 with or without brackets), or `localhost` and every name
 * under it, which are the loopback addresses (RFC 6761). Undefined for a name that must be looked up.
 */
export function vetLiteralHost(host: string, rules: AddressRules): VettedHost | undefined {
  if (LOCALHOST.test(host)) {
    const open = LOOPBACK.filter(({ address }) => isAllowedAddress(address, rules));
    return open.length > 0 ? { kind: 'ok', addresses: open } : { kind: 'blocked', address: '127.0.0.1' };
  }
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  const family = isIP(address);
  if (family === 0) return undefined;
  if (!isAllowedAddress(address, rules)) return { kind: 'blocked', address };
  return { kind: 'ok', addresses: [{ address, family: family === 4 ? 4 : 6 }] };
}

const LOCALHOST = /^(.+\.)?localhost\.?$/i;

const LOOPBACK: readonly VettedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
