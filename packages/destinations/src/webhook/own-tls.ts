import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { Place } from '../kind.ts';

/** An endpoint with its own TLS settings. */
export type TlsPlace = Pick<Place, 'endpointId' | 'revision' | 'credentials'> & { tls: NonNullable<Place['tls']> };

export type OwnTls = { secureContext: SecureContext; serverName: string | undefined };

/**
 * The TLS context for an endpoint: the certificate to offer and the authorities to trust. An endpoint without
 * authorities of its own trusts the well-known ones and `ca` (PEM). Throws for certificates or keys that the API would
 * not have accepted.
 */
export function ownTls({ tls, credentials }: TlsPlace, ca: string | undefined): OwnTls {
  const { clientCertificate: cert } = tls;
  const trusted = tls.ca ?? (ca === undefined ? undefined : [...rootCertificates, ca]);
  const secureContext = createSecureContext({
    ciphers: CIPHERS,
    // Trusts each given certificate itself: an intermediate authority, or the receiver's own certificate.
    ...(tls.ca === undefined ? {} : { allowPartialTrustChain: true }),
    ...(trusted === undefined ? {} : { ca: trusted }),
    ...(cert === undefined ? {} : { cert, key: credentials.tlsClientKey }),
  });
  return { secureContext, serverName: tls.serverName };
}
