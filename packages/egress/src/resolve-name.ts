import { Resolver } from 'node:dns/promises';
import { addressesInHostsFile, HOSTS_FILE } from './hosts-file.ts';
import type { VettedAddress } from './literal-host.ts';

/** An address that a name has, not vetted yet, and how long it may be kept. */
export type ResolvedAddress = VettedAddress & { readonly ttlSeconds: number };

/** All addresses of a name, IPv4 first; rejects with an Error whose `code` is a DNS code (`ENOTFOUND`, `ETIMEOUT`). */
export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

/** The DNS code that a look-up failed with. */
export function dnsCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'EUNKNOWN';
  // We cancel what takes too long.
  return code === 'ECANCELLED' ? 'ETIMEOUT' : code;
}

type ResolveNameOptions = {
  /** When a name has no answer within this time, that is `ETIMEOUT`. */
  budgetMs: number;
  /** The name servers, as `address:port`; those of the system when absent. */
  servers?: readonly string[];
  hostsFile?: string;
};

/**
 * Resolves names as the system's hosts file and name servers have them, without `getaddrinfo`: that one occupies a
 * thread of the pool which file access and password hashing need, for as long as a hostile name server likes. What it
 * would add is left out: search domains (a name must be complete) and multicast DNS.
 */
export function createResolveName({ budgetMs, servers, hostsFile = HOSTS_FILE }: ResolveNameOptions): ResolveName {
  return async (hostname) => {
    const fixed = await addressesInHostsFile(hostsFile, hostname);
    if (fixed.length > 0) return fixed.map((address) => ({ ...address, ttlSeconds: HOSTS_FILE_TTL_SECONDS }));
    return query(hostname, budgetMs, servers);
  };
}

// A resolver of its own for each query: it can be cancelled alone, and it reads the system's name servers anew.
async function query(hostname: string, budgetMs: number, servers?: readonly string[]): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: Math.ceil(budgetMs / 2), tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  const deadline = setTimeout(cancel, budgetMs);
  let grace: NodeJS.Timeout | undefined;
  try {
    const families = [resolver.resolve4(hostname, { ttl: true }), resolver.resolve6(hostname, { ttl: true })] as const;
    const found = await Promise.any(families).catch(() => undefined);
    if (found !== undefined) grace = setTimeout(cancel, GRACE_MS);
    const [four, six] = await Promise.allSettled(families);
    if (four.status === 'rejected' && six.status === 'rejected') throw worseOf(four.reason, six.reason);
    return [...addressesOf(four, 4), ...addressesOf(six, 6)];
  } finally {
    clearTimeout(deadline);
    clearTimeout(grace);
  }
}

/** Once one family has its addresses, the other gets this long: many name servers never answer for IPv6. */
const GRACE_MS = 500;

type Records = { address: string; ttl: number }[];

function addressesOf(answer: PromiseSettledResult<Records>, family: 4 | 6): ResolvedAddress[] {
  if (answer.status === 'rejected') return [];
  return answer.value.map(({ address, ttl }) => ({ address, family, ttlSeconds: ttl }));
}

/** "No such name" is told only when both families say it; a failure to find out outweighs it. */
function worseOf(four: unknown, six: unknown): Error {
  const failures = [four, six].map(dnsCode);
  const code = failures.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA') ?? failures[0];
  return Object.assign(new Error(`the name could not be resolved: ${code}`), { code });
}

const HOSTS_FILE_TTL_SECONDS = 10;
