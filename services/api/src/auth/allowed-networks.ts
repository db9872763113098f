import { BlockList, isIPv6 } from 'node:net';
import { ApiError } from '../transport/error.ts';

/**
 * Refuses (`forbidden`) an address that is in none of the networks: addresses, and ranges such as `203.0.113.0/24`. An
 * empty list allows every address. The address is the caller's as `TRUSTED_PROXIES` proxies tell it.
 */
export function requireAllowedNetwork(networks: readonly string[], address: string | undefined): void {
  if (networks.length === 0 || (address !== undefined && isWithin(networks, address))) return;
  throw new ApiError('forbidden', `This token may not be used from ${address ?? 'an unknown address'}`);
}

function isWithin(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = familyOf(base);
    list.addSubnet(base, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  // A scope such as `%eth0` is not part of the address.
  const [plain = ''] = address.split('%');
  // An IPv4 address inside an IPv6 one (`::ffff:203.0.113.9`) is compared as IPv4.
  return list.check(plain, familyOf(plain));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
