import { isIP } from 'node:net';
import { systemClock } from '@posthorn/runtime/clock';
import { generate } from 'selfsigned';
import type { ReceiverCertificate } from './receiver-certificate.ts';

/** A private certificate authority. Nobody trusts it unless told to. All texts are PEM. */
export type OwnAuthority = {
  caPem: string;
  /**
   * Issues a certificate for a server with these names or addresses, or for a client if there are none. It lasts 30
   * days by default.
   */
  issue(options?: { names?: string[]; endsInDays?: number }): Promise<ReceiverCertificate>;
  /** An intermediate authority, which this one has signed. */
  intermediate(): Promise<OwnAuthority>;
};

/** Makes an authority. Its keys are P-256, or RSA, which some ciphers of TLS 1.2 need. */
export async function makeOwnAuthority({ keyType = 'ec' }: { keyType?: 'ec' | 'rsa' } = {}): Promise<OwnAuthority> {
  return authority('A private authority', { keyType });
}

type Made = { keyType: 'ec' | 'rsa'; ca?: { key: string; cert: string } };

async function authority(name: string, { keyType, ca }: Made): Promise<OwnAuthority> {
  const { cert: caPem, private: caKey } = await generate([{ name: 'commonName', value: name }], {
    ...{ keyType, ...validity(30) },
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
    ...(ca === undefined ? {} : { ca }),
  });
  return {
    caPem,
    intermediate: () => authority('An intermediate authority', { keyType, ca: { key: caKey, cert: caPem } }),
    async issue({ names = [], endsInDays = 30 } = {}) {
      const isServer = names.length > 0;
      const made = await generate([{ name: 'commonName', value: names[0] ?? 'a client' }], {
        ...{ keyType, ...validity(endsInDays) },
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'extKeyUsage', serverAuth: isServer, clientAuth: !isServer },
          ...(isServer ? [{ name: 'subjectAltName' as const, altNames: names.map(altName) }] : []),
        ],
        ca: { key: caKey, cert: caPem },
      });
      return { key: made.private, cert: made.cert, caPem };
    },
  };
}

function altName(value: string) {
  return isIP(value) > 0 ? { type: 7 as const, ip: value } : { type: 2 as const, value };
}

const DAY_MS = 86_400_000;

function validity(endsInDays: number) {
  const now = systemClock.now().getTime();
  return {
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 2 * DAY_MS),
    notAfterDate: new Date(now + endsInDays * DAY_MS),
  };
}
