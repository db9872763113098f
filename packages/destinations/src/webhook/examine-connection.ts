import type { SecureContext } from 'node:tls';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { parseEndpointUrl } from '@posthorn/egress/endpoint-url';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import type { Judgement } from '../examination.ts';
import type { Examination } from '../kind.ts';
import type { Tunnels } from '../tunnel.ts';
import { findHost, reach, shakeHands } from './inspect.ts';
import { judgeCertificate, judgeHandshake, judgeHost, judgeReached } from './judge-connection.ts';
import { CONNECT_TIMEOUT_MS } from './send.ts';

type Examining = Pick<Examination, 'record' | 'leftMs'> & {
  /** The server's URL, with https. */
  url: string;
  rules: AddressRules;
  resolve: ResolveName;
  clock: Clock;
  /** The certificate authorities to trust. Null for a connection without TLS. */
  secureContext: SecureContext | null;
  /** Connects through a proxy if set. */
  tunnels?: Tunnels | undefined;
  /** The name that the server's certificate must have, if it is not the URL's host. */
  serverName?: string | undefined;
};

/** The most addresses of a name to connect to. */
const MAX_ADDRESSES = 8;

/** Makes the checks `dns`, `tcp`, `tls` and `certificate`. Returns whether messages can be tried. */
export async function examineConnection(examining: Examining): Promise<boolean> {
  const address = await examineHost(examining);
  if (address === undefined) return false;
  const { secureContext, record } = examining;
  if (secureContext !== null) return examineTls({ ...examining, secureContext }, address);
  for (const name of ['tls', 'certificate'] as const) record.add(name, 0, NO_TLS);
  return true;
}

const NO_TLS: Judgement = {
  outcome: 'skipped',
  detail: 'Not tried: the endpoint is set to connect without TLS',
  advice: null,
};

type ServerAddress = { host: string; address: string; port: number };

/** Makes the checks `dns` and `tcp`. Returns the first address that accepts a connection. */
async function examineHost(examining: Examining): Promise<ServerAddress | undefined> {
  const { url, rules, record, tunnels } = examining;
  const parsed = parseEndpointUrl(url, rules);
  if (parsed.kind === 'refused' && parsed.reason === 'invalid') {
    record.add('dns', 0, { outcome: 'fail', detail: parsed.message, advice: 'Change the url of the endpoint.' });
    return undefined;
  }
  const { hostname, port: given } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(given || 443);
  const found = await timed(examining, () => findHost(host, examining));
  if (!record.add('dns', found.durationMs, judgeHost(host, found.result))) return undefined;
  if (parsed.kind === 'refused') {
    record.add('tcp', 0, { outcome: 'fail', detail: parsed.message, advice: 'Change the url of the endpoint.' });
    return undefined;
  }
  const addresses = found.result.kind === 'found' ? found.result.addresses.slice(0, MAX_ADDRESSES) : [];
  const options = { ...examining.clock, port, rules, tunnels, timeoutMs: timeoutIn(examining) };
  const reached = await timed(examining, () => Promise.all(addresses.map(({ address }) => reach(address, options))));
  record.add('tcp', reached.durationMs, judgeReached(port, reached.result));
  const first = reached.result.find(({ kind }) => kind === 'connected');
  return first === undefined ? undefined : { host, port, address: first.address };
}

/** Makes the checks `tls` and `certificate`. */
async function examineTls(
  examining: Examining & { secureContext: SecureContext },
  { host, port, address }: ServerAddress,
): Promise<boolean> {
  const { record, rules, secureContext, clock, tunnels, serverName: name = host } = examining;
  const options = { ...clock, host: name, port, rules, secureContext, tunnels, timeoutMs: timeoutIn(examining) };
  const { result, durationMs } = await timed(examining, () => shakeHands(address, options));
  record.add('tls', durationMs, judgeHandshake(result));
  if (result.kind === 'failed') return false;
  return record.add('certificate', 0, judgeCertificate(name, result.certificate, clock.now()));
}

/** The time limit for one step of a connection. */
function timeoutIn({ leftMs }: Pick<Examining, 'leftMs'>): number {
  return Math.max(1, Math.min(CONNECT_TIMEOUT_MS, leftMs()));
}

export async function timed<Result>({ clock }: { clock: Clock }, work: () => Promise<Result>) {
  const startedMs = clock.monotonicMs();
  const result = await work();
  return { result, durationMs: clock.monotonicMs() - startedMs };
}
