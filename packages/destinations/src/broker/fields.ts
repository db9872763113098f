import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

// The fields that the kinds of broker have in common.

export const tls = z
  .boolean('must be true or false')
  .default(true)
  .meta({ title: 'TLS', description: 'Only an operator can allow connections without TLS.' });

export const ca = z
  .string()
  .max(16_384, 'must have at most 16 KiB')
  .refine(isCertificate, 'must be a certificate in PEM')
  .meta({
    title: 'Certificate authority',
    description: 'In PEM. It replaces the well-known authorities, for a broker with a private one.',
  });

/** The first of a chain is read, as a check for slips. */
function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** The server of a host and a port, as the egress rules check it. */
export function serverUrl({ host, port, tls }: { host: string; port: number; tls: boolean }): string {
  return `${tls ? 'https' : 'http'}://${host}:${port}`;
}
