import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { isAllowedPort } from '@posthorn/egress/allowed-port';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { VettedAddress } from '@posthorn/egress/literal-host';
import type { Lookup } from '@posthorn/egress/lookup';
import { egressError } from '../webhook/egress-agent.ts';
import type { Server } from './fields.ts';

/** The addresses of a server, each allowed by the egress rules. Rejects with an error of the egress rules. */
export async function vetServer({ host, port }: Server, lookup: Lookup): Promise<readonly VettedAddress[]> {
  if (!isAllowedPort(String(port))) throw egressError('blocked');
  const vetted = await lookup(host);
  if (vetted.kind === 'blocked') throw egressError('blocked');
  if (vetted.kind === 'failed') throw egressError('unresolved', vetted.code);
  return vetted.addresses;
}

/** The TLS options of Node that are set here. */
type TlsOptions = {
  rejectUnauthorized: true;
  ciphers: string;
  ca?: string;
  servername?: string;
  checkServerIdentity: typeof checkServerIdentity;
};

/** How to connect to a server over TLS, whichever of its addresses is dialled. */
export function tlsOptions(host: string, ca: string | undefined): TlsOptions {
  return {
    // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
    rejectUnauthorized: true,
    ciphers: CIPHERS,
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // If an address is dialled, Node would check another name.
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
}
