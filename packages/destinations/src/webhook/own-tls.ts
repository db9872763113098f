import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { Place } from '../kind.ts';

/** An endpoint with TLS settings of its own. */
export type TlsPlace = Pick<Place, 'endpointId' | 'revision' | 'credentials'> & { tls: NonNullable<Place['tls']> };

export type OwnTls = { secureContext: SecureContext; serverName: string | undefined };

/**
 * What a connection to the endpoint offers and trusts. `ca` (PEM) is trusted besides the well-known authorities by
 * endpoints that have none of their own. Throws for certificates or keys that the API would not have accepted.
 */
export function ownTls({ tls, credentials }: TlsPlace, ca: string | undefined): OwnTls {
  const { clientCertificate: cert } = tls;
  const trusted = tls.ca ?? (ca === undefined ? undefined : [...rootCertificates, ca]);
  const secureContext = createSecureContext({
    ciphers: CIPHERS,
    // Each given certificate is trusted as it is: an intermediate authority, or the receiver's own.
    ...(tls.ca === undefined ? {} : { allowPartialTrustChain: true }),
    ...(trusted === undefined ? {} : { ca: trusted }),
    ...(cert === undefined ? {} : { cert, key: credentials.tlsClientKey }),
  });
  return { secureContext, serverName: tls.serverName };
}
