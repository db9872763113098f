import { X509Certificate } from 'node:crypto';
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

/**
 * The home's certificate for 127.0.0.1, ::1 and localhost, made at the first start and renewed before it expires. The
 * authority's key is never stored, so it cannot sign anything else.
 */
export async function keepServerCertificate(home: string, clock: Clock): Promise<ServerCertificate> {
  const folder = join(home, 'receiver');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'certificate.json');
  const text = readIfThere(file);
  const kept = text === undefined ? undefined : (JSON.parse(text) as ServerCertificate);
  const now = clock.now().getTime();
  if (kept !== undefined && endOf(kept) - now > RENEW_DAYS * DAY_MS) return kept;
  const made = await makeServerCertificate(now);
  writePrivateFile(file, JSON.stringify(made, null, 2));
  return made;
}

async function makeServerCertificate(nowMs: number): Promise<ServerCertificate> {
  const validity = {
    keyType: 'ec' as const,
    algorithm: 'sha256',
    // An hour ago: another clock may be slightly behind.
    notBeforeDate: new Date(nowMs - 3_600_000),
    notAfterDate: new Date(nowMs + VALID_DAYS * DAY_MS),
  };
  const authority = await generate([{ name: 'commonName', value: 'Posthorn demo authority' }], {
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

function endOf(kept: ServerCertificate): number {
  return new Date(new X509Certificate(kept.certificate).validTo).getTime();
}
