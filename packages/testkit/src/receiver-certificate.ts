import { systemClock } from '@posthorn/runtime/clock';
import { generate } from 'selfsigned';

/** All in PEM: key and certificate for an HTTPS server, and the authority that its clients must trust. */
export type ReceiverCertificate = { key: string; cert: string; caPem: string };

/**
 * `good` is valid for localhost, 127.0.0.1, ::1 and every name directly under receiver.test. The others are issued by
 * the same authority: `expired` ended yesterday, `ends-soon` ends in 5 days, `other-name` is for another host.
 * `self-signed` is issued by itself. `client` is for a client.
 */
export type CertificateKind = 'good' | 'expired' | 'ends-soon' | 'other-name' | 'self-signed' | 'client';

/** Each certificate is made once per process, because making keys is slow. */
export function receiverCertificate(kind: CertificateKind): Promise<ReceiverCertificate> {
  const present = madeByKind.get(kind) ?? issue(kind);
  madeByKind.set(kind, present);
  return present;
}

const madeByKind = new Map<CertificateKind, Promise<ReceiverCertificate>>();
let authority: ReturnType<typeof generate> | undefined;

async function issue(kind: CertificateKind): Promise<ReceiverCertificate> {
  authority ??= makeAuthority();
  const { cert: caPem, private: caKey } = await authority;
  const names = kind === 'other-name' ? [{ type: 2 as const, value: 'other.test' }] : RECEIVER_NAMES;
  const made = await generate([{ name: 'commonName', value: 'Posthorn test receiver' }], {
    ...validity(kind === 'expired' ? -1 : kind === 'ends-soon' ? 5 : 30),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', ...(kind === 'client' ? { clientAuth: true } : { serverAuth: true }) },
      { name: 'subjectAltName', altNames: names },
    ],
    ...(kind === 'self-signed' ? {} : { ca: { key: caKey, cert: caPem } }),
  });
  return { key: made.private, cert: made.cert, caPem };
}

function makeAuthority() {
  return generate([{ name: 'commonName', value: 'Posthorn test authority' }], {
    ...validity(30),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

function validity(endsInDays: number) {
  const now = systemClock.now().getTime();
  return {
    keyType: 'ec' as const,
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 2 * DAY_MS),
    notAfterDate: new Date(now + endsInDays * DAY_MS),
  };
}

const DAY_MS = 86_400_000;

const RECEIVER_NAMES = [
  { type: 2 as const, value: 'localhost' },
  { type: 2 as const, value: '*.receiver.test' },
  { type: 7 as const, ip: '127.0.0.1' },
  { type: 7 as const, ip: '::1' },
];
