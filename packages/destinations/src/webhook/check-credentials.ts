import { type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { EndpointTls, OAuth2 } from '../kind.ts';
import { isTooLong, privateKeyIn, TOO_LONG } from '../private-key.ts';

type Checked = { oauth2?: OAuth2 | undefined; tls?: EndpointTls | undefined };

/** `field` is the path in the endpoint's body. */
export type CredentialFault = { field: string; message: string };

/**
 * Checks `config.oauth2` and `config.tls` together with the credentials that the endpoint will have. Undefined if they
 * can be used now; otherwise the first fault. Values that are also in `stored` were valid when they were saved. If they
 * have expired since, that must not block a change of something else.
 */
export function checkCredentials(
  { oauth2, tls }: Checked,
  credentials: Readonly<Record<string, string>>,
  now: Date,
  stored?: Checked,
): CredentialFault | undefined {
  return checkOAuth2(oauth2, credentials) ?? checkTls(tls, credentials, { now, stored: stored?.tls });
}

function checkOAuth2(oauth2: OAuth2 | undefined, credentials: Readonly<Record<string, string>>) {
  const { oauth2ClientSecret: secret, oauth2PrivateKey: pem } = credentials;
  if (oauth2 === undefined) {
    const unused = secret !== undefined ? 'oauth2ClientSecret' : pem !== undefined ? 'oauth2PrivateKey' : undefined;
    return unused === undefined ? undefined : fault(`credentials.${unused}`, 'needs config.oauth2');
  }
  const { authMethod = 'basic' } = oauth2;
  if (authMethod !== 'private_key_jwt') {
    if (secret === undefined) return fault('credentials.oauth2ClientSecret', 'is required by config.oauth2');
    return pem === undefined ? undefined : fault('credentials.oauth2PrivateKey', notUsedBy(authMethod));
  }
  if (pem === undefined) return fault('credentials.oauth2PrivateKey', 'is required by config.oauth2');
  if (secret !== undefined) return fault('credentials.oauth2ClientSecret', notUsedBy(authMethod));
  const key = privateKeyIn(pem);
  if (key !== undefined && canSign(key)) return undefined;
  return fault(
    'credentials.oauth2PrivateKey',
    'must be an unencrypted private key in PEM: RSA with 2,048 to 4,096 bits, P-256, P-384, P-521 or Ed25519',
  );
}

function notUsedBy(authMethod: string): string {
  return `is not used, because config.oauth2.authMethod is ${authMethod}`;
}

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

function canSign(key: KeyObject) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {} } = key;
  if (type === 'rsa') return modulusLength >= 2_048 && !isTooLong(key);
  return type === 'ed25519' || (type === 'ec' && CURVES.includes(namedCurve));
}

function checkTls(
  tls: EndpointTls | undefined,
  { tlsClientKey: pem }: Readonly<Record<string, string>>,
  { now, stored }: { now: Date; stored: EndpointTls | undefined },
): CredentialFault | undefined {
  const { ca, clientCertificate } = tls ?? {};
  if (ca !== undefined) {
    const read = certificatesIn(ca);
    if (typeof read === 'string') return fault('config.tls.ca', read);
    // An expired authority does no harm beside a valid one.
    if (ca !== stored?.ca && read.every((one) => hasEnded(one, now))) {
      return fault('config.tls.ca', expiredIn(read[0]));
    }
  }
  if (clientCertificate === undefined) {
    return pem === undefined ? undefined : fault('credentials.tlsClientKey', 'needs config.tls.clientCertificate');
  }
  const chain = certificatesIn(clientCertificate);
  if (typeof chain === 'string') return fault('config.tls.clientCertificate', chain);
  const ended = chain.find((one) => hasEnded(one, now));
  if (ended !== undefined && clientCertificate !== stored?.clientCertificate) {
    return fault('config.tls.clientCertificate', expiredIn(ended));
  }
  if (pem === undefined) return fault('credentials.tlsClientKey', 'is required by config.tls.clientCertificate');
  const key = privateKeyIn(pem);
  if (key === undefined) return fault('credentials.tlsClientKey', 'must be an unencrypted private key in PEM');
  if (isTooLong(key)) return fault('credentials.tlsClientKey', TOO_LONG);
  if (chain[0]?.certificate.checkPrivateKey(key) !== true) {
    return fault(
      'credentials.tlsClientKey',
      'must be the key of the first certificate of config.tls.clientCertificate',
    );
  }
  try {
    createSecureContext({ cert: clientCertificate, key: pem });
    return undefined;
  } catch {
    return fault('config.tls.clientCertificate', 'has a key or a signature that is too weak for TLS');
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/**
 * The certificates in a PEM text, or its fault with the line. Other text between certificates is ignored, except a
 * private key, which is refused because the config is shown. A certificate whose first line begins with a space is not
 * found, because TLS does not find it either.
 */
function certificatesIn(pem: string): Found[] | string {
  const lines = pem.split('\n').map((line) => line.trimEnd());
  const key = lines.findIndex((line) => line.includes('PRIVATE KEY-----'));
  if (key !== -1) return `must not have a private key, as in line ${key + 1}: the config is shown`;
  const certificates: Found[] = [];
  for (let at = lines.indexOf(BEGIN); at !== -1; at = lines.indexOf(BEGIN, at + 1)) {
    const end = lines.indexOf(END, at);
    if (end === -1) return `has no end of the certificate that begins in line ${at + 1}`;
    const certificate = certificateIn(lines.slice(at, end + 1).join('\n'));
    if (certificate === undefined) return `has a certificate in line ${at + 1} that cannot be read`;
    certificates.push({ certificate, line: at + 1 });
    at = end;
  }
  return certificates.length === 0 ? 'must be certificates in PEM' : certificates;
}

/** A certificate, and the line where it begins. */
type Found = { certificate: X509Certificate; line: number };

function hasEnded({ certificate }: Found, now: Date): boolean {
  return new Date(certificate.validTo) <= now;
}

function expiredIn(found: Found | undefined): string {
  return `has a certificate in line ${found?.line ?? 1} that has expired`;
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function fault(field: string, message: string): CredentialFault {
  return { field, message };
}
