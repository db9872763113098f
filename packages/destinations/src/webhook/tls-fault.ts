/** Why the TLS connection failed, and what the receiver's engineer can do about it, in two or more sentences. */
export type TlsFault = { said: string; advice: string };

/**
 * Explains a TLS error of Node, or the code of a certificate error, in words. Undefined for an error outside TLS. The
 * words contain no code of OpenSSL or Node, and no text that the server controls.
 */
export function tlsFaultOf(error: unknown): TlsFault | undefined {
  const code = typeof error === 'string' ? error : textOf(error, 'code');
  const certificate = CERTIFICATE[code];
  if (certificate !== undefined) return certificate;
  if (OF_CERTIFICATES.test(code)) return OTHER_CERTIFICATE;
  if (!OF_HANDSHAKES.test(code)) return undefined;
  const reason = reasonOf(error, code);
  return HANDSHAKE.find(([reasons]) => reasons.test(reason))?.[1] ?? OTHER_HANDSHAKE;
}

export const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

const CHAIN: TlsFault = {
  said: 'The certificate could not be traced to a public authority',
  advice:
    'Let the server send the whole chain, with the intermediate certificates, and use a certificate of a public authority, or give the endpoint the certificate of the private one.',
};

const CERTIFICATE: Readonly<Record<string, TlsFault>> = {
  CERT_HAS_EXPIRED: {
    said: 'The certificate has expired',
    advice: 'Renew the certificate, and check that its automatic renewal works.',
  },
  CERT_NOT_YET_VALID: {
    said: 'The certificate is not valid yet',
    advice: 'Check the start date of the certificate, and the clock of the machine that issued it.',
  },
  [WRONG_NAME]: {
    said: 'The certificate is for another host name',
    advice: 'Use a certificate that names the host of the URL.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    said: 'The certificate is self-signed',
    advice: 'Replace the self-signed certificate with one of a public authority, or let the endpoint trust it.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    said: 'The certificate is of a private authority, which is not trusted',
    advice: 'Use a certificate of a public authority, or give the endpoint the certificate of the private one.',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CHAIN,
  CERT_REVOKED: { said: 'The certificate was revoked', advice: 'Use a new certificate of a public authority.' },
};

export const OTHER_CERTIFICATE: TlsFault = {
  said: 'The certificate is not valid',
  advice: 'Use a valid certificate of a public authority, with its whole chain.',
};

const OTHER_HANDSHAKE: TlsFault = {
  said: 'The TLS handshake failed',
  advice: 'Let the server offer TLS 1.2 or TLS 1.3 on this port, and look at its log for this time.',
};

/** Handshake faults by OpenSSL's reason, whose words differ between releases. The first match applies. */
const HANDSHAKE: readonly [reasons: RegExp, fault: TlsFault][] = [
  [
    /wrong version number|packet length too long|http request|https proxy request|unknown protocol|record layer failure|bad record type|not ssl/,
    {
      said: 'The server does not speak TLS on this port; most often it speaks plain HTTP',
      advice: 'Use the port of HTTPS in the URL, or put a proxy with TLS in front of the server.',
    },
  ],
  [
    /alert certificate required|alert bad certificate|alert certificate unknown|alert unknown ca/,
    {
      said: 'The server asks for a certificate of the client, and got none that it accepts',
      advice:
        'Give the endpoint a client certificate that the server trusts, or let the server accept requests without one and verify their signature.',
    },
  ],
  [
    /protocol version|unsupported protocol|version too low|no protocols available/,
    {
      said: 'The server offers no version of TLS that is accepted',
      advice: 'Let the server offer TLS 1.2 or TLS 1.3.',
    },
  ],
  [
    /unrecognized name/,
    {
      said: 'The server does not know the host name of the URL',
      advice: 'Set up the host name at the server, with a certificate for it.',
    },
  ],
  [
    /handshake failure|no shared cipher|insufficient security|dh key too small|no suitable|unsupported elliptic curve/,
    {
      said: 'The server refused the TLS handshake: it has no cipher in common with the client, or no certificate for the host name',
      advice: 'Give the server a certificate for the host name, and let it offer the ciphers of TLS 1.2 or TLS 1.3.',
    },
  ],
  [
    /alert/,
    {
      said: 'The server broke off the TLS handshake',
      advice: 'Check that the server has a certificate for the host name, and look at its log for this time.',
    },
  ],
];

// The certificate errors of OpenSSL have no common prefix.
const OF_CERTIFICATES =
  /^(ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_(CA|PURPOSE)$|DEPTH_ZERO_|SELF_SIGNED_|PATH_LENGTH_|HOSTNAME_MISMATCH$|UNSPECIFIED$)/;
const OF_HANDSHAKES = /^(EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OSSL_)/;

/**
 * OpenSSL's reason. Depending on where the handshake failed, it is in the code (`ERR_SSL_NO_SHARED_CIPHER`) or in the
 * message (`…:SSL routines:ssl3_get_record:wrong version number:…`).
 */
function reasonOf(error: unknown, code: string): string {
  if (code !== 'EPROTO')
    return code
      .replace(/^ERR_(SSL|OSSL|TLS)_/, '')
      .replaceAll('_', ' ')
      .toLowerCase();
  const [, reason = ''] = /:SSL routines:[^:]*:([^:]{1,100}):/.exec(textOf(error, 'message')) ?? [];
  return reason.toLowerCase();
}

/** A text field of an error; empty if there is none. */
export function textOf(value: unknown, field: string): string {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  return typeof text === 'string' ? text : '';
}
