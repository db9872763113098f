import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@posthorn/runtime/clock';
import { generate } from 'selfsigned';
import { readIfThere, writePrivateFile } from './private-file.ts';

/**
 * The certificate and key of an HTTPS server on this machine, and the authority that its clients must trust. All PEM.
 */
export type ServerCertificate = { authority: string; certificate: string; key: string };

const DAY_MS = 86_400_000;
const VALID_DAYS = 825;
const RENEW_DAYS = 30;

/** The files of the home with the certificate for local receivers, its key and the authority that signed it. */
export function certificateFiles(home: string): { certificate: string; key: string; authority: string } {
  const folder = join(home, 'receiver');
  return {
    certificate: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
    authority: join(folder, 'ca.pem'),
  };
}

/**
 * The home's certificate for 127.0.0.1, ::1 and localhost, made at the first start and renewed before it expires. The
 * authority's key is never stored, so it cannot sign anything else.
 */
export async function keepServerCertificate(home: string, clock: Clock): Promise<ServerCertificate> {
  const files = certificateFiles(home);
  mkdirSync(join(home, 'receiver'), { recursive: true });
  const now = clock.now().getTime();
  const kept = readServerCertificate(home);
  if (kept !== undefined && isUsable(kept, now)) return kept;
  const made = await makeServerCertificate(now);
  writePrivateFile(files.key, made.key);
  writePrivateFile(files.authority, made.authority);
  writePrivateFile(files.certificate, made.certificate);
  return made;
}

/** The certificate that a start has made in this home, if there is one. */
export function readServerCertificate(home: string): ServerCertificate | undefined {
  const files = certificateFiles(home);
  const [certificate, key, authority] = [files.certificate, files.key, files.authority].map(readIfThere);
  if (certificate === undefined || key === undefined || authority === undefined) return undefined;
  return { certificate, key, authority };
}

/** Whether it is valid for a while, and the three files belong together. */
function isUsable({ certificate, key, authority }: ServerCertificate, nowMs: number): boolean {
  try {
    const server = new X509Certificate(certificate);
    const end = new Date(server.validTo).getTime();
    const belongs =
      server.checkPrivateKey(createPrivateKey(key)) && server.verify(new X509Certificate(authority).publicKey);
    return belongs && end - nowMs > RENEW_DAYS * DAY_MS;
  } catch {
    return false; // A damaged file: a new certificate is made.
  }
}

async function makeServerCertificate(nowMs: number): Promise<ServerCertificate> {
  const validity = {
    keyType: 'ec' as const,
    algorithm: 'sha256',
    // An hour ago: another clock may be slightly behind.
    notBeforeDate: new Date(nowMs - 3_600_000),
    notAfterDate: new Date(nowMs + VALID_DAYS * DAY_MS),
  };
  const authority = await generate([{ name: 'commonName', value: 'Posthorn local authority' }], {
    ...validity,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...validity,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
    ca: { key: authority.private, cert: authority.cert },
  });
  return { authority: authority.cert, certificate: server.cert, key: server.private };
}
