import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@posthorn/runtime/clock';
import { generate } from 'selfsigned';

/** The key and certificate of an HTTPS server, and the authority that its clients must trust. All in PEM. */
export type ReceiverCertificate = { key: string; cert: string; caPem: string };

/**
 * `good` is valid for localhost, 127.0.0.1, ::1 and every name directly under receiver.test. `expired` ended yesterday,
 * `ends-soon` ends in 5 days, `other-name` is for another host, and `client` is for a client: the same authority issues
 * them. `self-signed` has no authority.
 */
export type CertificateKind = 'good' | 'expired' | 'ends-soon' | 'other-name' | 'self-signed' | 'client';

/** Returns a certificate. Each is made once per process, because making keys is slow. */
export function receiverCertificate(kind: CertificateKind): Promise<ReceiverCertificate> {
  const present = madeByKind.get(kind) ?? issue(kind);
  madeByKind.set(kind, present);
  return present;
}

const madeByKind = new Map<CertificateKind, Promise<ReceiverCertificate>>();
let authority: Promise<Authority> | undefined;

type Authority = { key: string; cert: string };

/** Names the folder with the authority of a whole run's receivers, which its processes trust (devstack/src/test.ts). */
const AUTHORITY_FOLDER = 'TEST_AUTHORITY';
const [CERT_FILE, KEY_FILE] = ['ca.pem', 'ca-key.pem'];

/**
 * Makes the authority of a run in this folder. Returns its certificate in PEM, and the environment of its processes.
 */
export async function makeRunAuthority(
  folder: string,
): Promise<{ caPem: string; environment: Record<string, string> }> {
  const { key, cert } = await makeAuthority();
  writeFileSync(join(folder, CERT_FILE), cert);
  writeFileSync(join(folder, KEY_FILE), key);
  return { caPem: cert, environment: { [AUTHORITY_FOLDER]: folder } };
}

/** The authority of the run. Outside of a run, an authority of this process, which nobody trusts unless told to. */
async function findAuthority(): Promise<Authority> {
  const folder = process.env[AUTHORITY_FOLDER];
  if (folder === undefined) return await makeAuthority();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { key: read(KEY_FILE), cert: read(CERT_FILE) };
}

async function issue(kind: CertificateKind): Promise<ReceiverCertificate> {
  authority ??= findAuthority();
  const { cert: caPem, key: caKey } = await authority;
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

async function makeAuthority(): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: 'Posthorn test authority' }], {
    ...validity(30),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
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
