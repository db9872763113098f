import { type AddressRules, isAllowedAddress } from './address-rules.ts';
import { type VettedHost, vetLiteralHost } from './literal-host.ts';
import { dnsCode, type ResolvedAddress, type ResolveName } from './resolve-name.ts';

/** The addresses to which a host may be connected. `code` is a DNS code such as `ENOTFOUND` or `ETIMEOUT`. */
export type VettedLookup = VettedHost | { readonly kind: 'failed'; readonly code: string };

/** Takes a URL's host: a name, `localhost` or a literal address. Never rejects. */
export type Lookup = (host: string) => Promise<VettedLookup>;

type LookupOptions = {
  rules: AddressRules;
  resolve: ResolveName;
  clock: { monotonicMs(): number };
};

type Kept = { readonly lookup: Promise<VettedLookup>; untilMs: number };

/**
 * Looks up names and checks every address of the answer: one forbidden address refuses the whole name, and no other
 * address is ever used. Of more than 64 addresses, 64 are returned, of both families if the name has both. An answer
 * is cached for its time to live, at most 60 s, and a failure for 1 s; equal queries at the same time are one query. At
 * most 1,000 names are cached.
 */
export function createLookup({ rules, resolve, clock }: LookupOptions): Lookup {
  const keptByName = new Map<string, Kept>();

  const ask = (hostname: string): Promise<VettedLookup> => {
    const keepFor = (ms: number) => {
      kept.untilMs = clock.monotonicMs() + ms;
    };
    const lookup = resolve(hostname).then(
      (answer): VettedLookup => {
        keepFor(1_000 * Math.min(MAX_TTL_SECONDS, ...answer.map((address) => address.ttlSeconds)));
        return vet(answer, rules);
      },
      (error: unknown): VettedLookup => {
        keepFor(FAILURE_KEPT_MS);
        return { kind: 'failed', code: dnsCode(error) };
      },
    );
    const kept: Kept = { lookup, untilMs: Number.POSITIVE_INFINITY };
    remember(keptByName, hostname, kept);
    return lookup;
  };

  return async (host) => {
    const literal = vetLiteralHost(host, rules);
    if (literal !== undefined) return literal;
    const hostname = host.toLowerCase();
    const kept = keptByName.get(hostname);
    return kept !== undefined && kept.untilMs > clock.monotonicMs() ? kept.lookup : ask(hostname);
  };
}

function vet(resolved: readonly ResolvedAddress[], rules: AddressRules): VettedLookup {
  const forbidden = resolved.find(({ address }) => !isAllowedAddress(address, rules));
  if (forbidden !== undefined) return { kind: 'blocked', address: forbidden.address };
  if (resolved.length === 0) return { kind: 'failed', code: 'ENODATA' };
  return { kind: 'ok', addresses: someOf(resolved).map(({ address, family }) => ({ address, family })) };
}

/**
 * At most 64 addresses, in their order. If there are two families, each keeps at least 32 addresses, or all that it
 * has.
 */
function someOf(resolved: readonly ResolvedAddress[]): readonly ResolvedAddress[] {
  const four = resolved.filter(({ family }) => family === 4);
  const six = resolved.filter(({ family }) => family === 6);
  const half = MAX_ADDRESSES / 2;
  const kept = new Set([
    ...four.slice(0, Math.max(half, MAX_ADDRESSES - six.length)),
    ...six.slice(0, Math.max(half, MAX_ADDRESSES - four.length)),
  ]);
  return resolved.filter((address) => kept.has(address));
}

function remember(keptByName: Map<string, Kept>, hostname: string, kept: Kept): void {
  // Delete first: a Map keeps the order of first insertion, and the oldest entry is evicted first.
  keptByName.delete(hostname);
  keptByName.set(hostname, kept);
  const [oldest] = keptByName.keys();
  if (keptByName.size > MAX_KEPT && oldest !== undefined) keptByName.delete(oldest);
}

const MAX_KEPT = 1_000;
/** DNS answers can hold 4,095 IPv4 and 2,340 IPv6 addresses: they take 30 ms to check, and too much memory to keep. */
const MAX_ADDRESSES = 64;
const MAX_TTL_SECONDS = 60;
const FAILURE_KEPT_MS = 1_000;
