import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { VettedAddress } from './literal-host.ts';

/** An address of a name that is not checked yet, and how long it may be cached. */
export type ResolvedAddress = VettedAddress & { readonly ttlSeconds: number };

/** All addresses of a name, IPv4 first; rejects with an Error whose `code` is a DNS code (`ENOTFOUND`, `ETIMEOUT`). */
export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

/** The DNS code of a failed look-up. */
export function dnsCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'EUNKNOWN';
  // This module itself cancels a query that takes too long.
  return code === 'ECANCELLED' ? 'ETIMEOUT' : code;
}

type ResolveNameOptions = {
  /** The time limit for a name. Without an answer in time, the error is `ETIMEOUT`. */
  budgetMs: number;
  /** The name servers, as `address:port`; those of the system by default. */
  servers?: readonly string[];
  hostsFile?: string;
};

/**
 * Resolves names by the system's hosts file and name servers, without `getaddrinfo`: that call would occupy a thread of
 * the pool, which file access and password hashing need, for as long as a hostile name server delays. Two features of
 * `getaddrinfo` are left out: search domains (a name must be complete) and multicast DNS.
 */
export function createResolveName({ budgetMs, servers, hostsFile = HOSTS_FILE }: ResolveNameOptions): ResolveName {
  return async (hostname) => {
    const fixed = await addressesInHostsFile(hostsFile, hostname);
    if (fixed.length > 0) return fixed.map((address) => ({ ...address, ttlSeconds: HOSTS_FILE_TTL_SECONDS }));
    return query(hostname, budgetMs, servers);
  };
}

// Each query has its own resolver: it can be cancelled separately, and it reads the system's name servers again.
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

/** Once one family has addresses, wait this long for the other: many name servers never answer for IPv6. */
const GRACE_MS = 500;

type Records = { address: string; ttl: number }[];

function addressesOf(answer: PromiseSettledResult<Records>, family: 4 | 6): ResolvedAddress[] {
  if (answer.status === 'rejected') return [];
  return answer.value.map(({ address, ttl }) => ({ address, family, ttlSeconds: ttl }));
}

/** The error to report: "no such name" only when both families report it; any other failure takes precedence. */
function worseOf(four: unknown, six: unknown): Error {
  const failures = [four, six].map(dnsCode);
  const code = failures.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA') ?? failures[0];
  return Object.assign(new Error(`the name could not be resolved: ${code}`), { code });
}

const HOSTS_FILE_TTL_SECONDS = 10;

/** The path of the system's hosts file. */
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The addresses of a name in the hosts file, in its order; none if the file cannot be read. */
async function addressesInHostsFile(path: string, hostname: string): Promise<VettedAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return parseHosts(text, hostname);
}

function parseHosts(text: string, hostname: string): VettedAddress[] {
  const wanted = hostname.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    if (family === 0 || !names.includes(wanted)) return [];
    return [{ address, family: family === 4 ? 4 : 6 } as const];
  });
}
