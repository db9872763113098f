import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { z } from 'zod';

// The fields that the broker kinds share.

export const tls = z
  .boolean('must be true or false')
  .default(true)
  .meta({
    title: 'TLS',
    description: 'Whether to use TLS. Only an operator can allow connections without TLS.',
    examples: [true],
  });

export const ca = z
  .string()
  .max(16_384, 'must have at most 16 KiB')
  .refine(isCertificate, 'must be a certificate in PEM')
  .refine((text) => !text.includes('PRIVATE KEY-----'), 'must not have a private key: the config is shown')
  .meta({
    title: 'Certificate authority',
    description:
      'The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a private one.',
    examples: ['-----BEGIN CERTIFICATE-----…'],
  });

/** Checks the first certificate of a chain, to catch slips. */
function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** `host` has no brackets. */
export type Server = { host: string; port: number };

/** A list of one to ten servers, each `host:port`. The port is `defaultPort` if it is missing. */
export function servers(defaultPort: number, { title, example }: { title: string; example: string }) {
  const server = z
    .string()
    .max(300, 'must have at most 300 characters')
    .refine(
      (text) => parseServer(text, defaultPort) !== undefined,
      `must be a host name or an address, with a port if it is not ${defaultPort}`,
    );
  return z
    .array(server)
    .min(1, 'must name at least one server')
    .max(10, 'must name at most 10 servers')
    .meta({
      title,
      description: `Each as host:port. The default port is ${defaultPort}.`,
      examples: [[example]],
    });
}

/** Undefined for a text that is not a host with an optional port. */
export function parseServer(text: string, defaultPort: number): Server | undefined {
  const url = /[\s/?#@\\]/.test(text) ? undefined : parseUrl(`https://${text}`);
  if (url === undefined) return undefined;
  const [, port] = /[^:]:(\d{1,5})$/.exec(text) ?? [];
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
}

/** The URL of a host and a port, in the form that the egress rules check. */
export function serverUrl({ tls, ...server }: Server & { tls: boolean }): string {
  return `${tls ? 'https' : 'http'}://${authorityOf(server)}`;
}

/** `host:port`. */
export function authorityOf({ host, port }: Server): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

const sealed = (most: number) =>
  z.string().min(1, 'must not be empty').max(most, `must have at most ${most} characters`);

/** The help beside a form field. */
type Words = { description: string; example: string };

const wordsOf = ({ description, example }: Words) => ({ description, examples: [example] });

/** A text that is sealed and never shown. */
export function secret(title: string, most: number, words: Words) {
  return sealed(most).meta({ title, ...wordsOf(words), writeOnly: true });
}

/**
 * A secret of one line. Removes a line break at its end, which was copied by accident: a server would refuse it without
 * saying why.
 */
export function line(title: string, words: Words, most = 1_024) {
  const text = sealed(most).refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), 'must not have control characters');
  return text.meta({ title, ...wordsOf(words), writeOnly: true });
}
