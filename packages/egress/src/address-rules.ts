import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses that may be reached: public ones, and the ranges that the operator allowed. */
export type AddressRules = { readonly opened: readonly AddressRange[] };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type AddressRange = readonly [network: Address, prefixLength: number];

/**
 * Whether a connection to this literal address is allowed. Refused are addresses that are not public unicast, the
 * clouds' metadata services, IPv6 addresses that contain an IPv4 address, and texts that are not an address.
 */
export function isAllowedAddress(address: string, rules: AddressRules): boolean {
  // Checked first, because ipaddr.js also accepts octal, hexadecimal and short notations.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (isInside(parsed, rules.opened)) return true;
  // A mapped address reaches the same host as the IPv4 address in it.
  if (isIPv6(parsed) && parsed.isIPv4MappedAddress()) return isInside(parsed.toIPv4Address(), rules.opened);
  if (isIPv6(parsed)) return isInside(parsed, globalUnicastIPv6) && !isInside(parsed, refusedIPv6);
  return !isInside(parsed, refusedIPv4);
}

/**
 * Parses `EGRESS_ALLOW_CIDRS`: ranges and single addresses, separated by commas. A range is opened completely,
 * whichever of its addresses it is written with. Throws an Error that names the invalid item.
 */
export function parseAllowedCidrs(text: string): AddressRules {
  const items = text.split(',').map((item) => item.trim());
  return { opened: items.filter((item) => item !== '').map(parseRange) };
}

function parseRange(item: string): AddressRange {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const prefixLength = prefix === undefined ? bits : Number(prefix);
  const wellFormed = family !== 0 && rest.length === 0 && !address.includes('%') && /^\d{1,3}$/.test(prefix ?? '0');
  if (!wellFormed || prefixLength > bits) {
    throw new Error(`"${item}" is not an address range: write 10.0.0.0/8, fd00::/8 or a single address`);
  }
  return [ipaddr.parse(address), prefixLength];
}

function isInside(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([network, prefixLength]) =>
    address.kind() === network.kind() ? address.match(network, prefixLength) : false,
  );
}

function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

// IANA's special-purpose registries (RFC 6890 and its updates), and ranges that they omit.
const refusedIPv4 = [
  '0.0.0.0/8', // this host on this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform services, on an address that looks public
  '169.254.0.0/16', // link-local, and the clouds' metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(parseRange);

// Everything else is unassigned or special: loopback, IPv4-mapped and -compatible, NAT64 (all in ::/8), discard-only
// 100::/64, SRv6 5f00::/16, unique local fc00::/7 (metadata fd00:ec2::254 among it), link-local, site-local, multicast.
const globalUnicastIPv6 = ['2000::/3'].map(parseRange);

const refusedIPv6 = [
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone identifiers
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(parseRange);
