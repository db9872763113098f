import { createPublicKey, verify } from 'node:crypto';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from './receiver.ts';

export type TokenServer = Pick<Receiver, 'url' | 'port' | 'caPem' | 'close'> & {
  /** The token requests so far, including refused ones. */
  requests: ReceivedRequest[];
  /** The tokens, in the order in which they were issued. */
  tokens: string[];
  /** True if the `Authorization` value has a token that was issued and not revoked. */
  accepts: (authorization: string | undefined) => boolean;
  /** Revokes all tokens that were issued so far. */
  revokeAll: () => void;
  /** Changes how the next requests are answered; undefined restores the default. */
  respondWith: (behave: ((request: ReceivedRequest) => ReceiverAnswer) | undefined) => void;
};

type TokenServerOptions = {
  clientId: string;
  /** The client's secret, for `basic` and `post`. */
  secret?: string;
  /** The client's public key in PEM, for `private_key_jwt`. */
  publicKey?: string;
  /** The seconds in `expires_in`. If absent, responses have none. */
  expiresIn?: number;
};

/** A real OAuth 2 server on this machine. Its one client gets tokens by the client credentials grant. */
export async function startTokenServer(options: TokenServerOptions): Promise<TokenServer> {
  const receiver = await startReceiver();
  const url = new URL('token', receiver.url).href;
  const tokens: string[] = [];
  const accepted = new Set<string>();
  let behave: ((request: ReceivedRequest) => ReceiverAnswer) | undefined;
  receiver.respondWith((request) => {
    if (behave !== undefined) return behave(request);
    const form = new URLSearchParams(request.body.toString());
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
    if (!isClient(request, form, { ...options, url })) return json(401, { error: 'invalid_client' });
    const token = `token-${tokens.length + 1}.${Buffer.from(`canary ${tokens.length + 1}`).toString('base64url')}`;
    tokens.push(token);
    accepted.add(`Bearer ${token}`);
    const { expiresIn } = options;
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    });
  });
  return {
    url,
    port: receiver.port,
    caPem: receiver.caPem,
    close: receiver.close,
    requests: receiver.requests,
    tokens,
    accepts: (authorization) => accepted.has(authorization ?? ''),
    revokeAll: () => accepted.clear(),
    respondWith(next) {
      behave = next;
    },
  };
}

function json(status: number, body: object): ReceiverAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

function isClient(
  { headers }: ReceivedRequest,
  form: URLSearchParams,
  { clientId, secret, publicKey, url }: TokenServerOptions & { url: string },
): boolean {
  const assertion = form.get('client_assertion');
  if (publicKey !== undefined) return assertion !== null && isAssertion(assertion, { clientId, publicKey, url });
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  const [id, given] =
    basic === undefined ? [form.get('client_id'), form.get('client_secret')] : pairIn(Buffer.from(basic, 'base64'));
  return id === clientId && given === secret && secret !== undefined;
}

/** The id and the secret before and after the first colon, each form-decoded. */
function pairIn(bytes: Buffer): (string | undefined)[] {
  const [, ...parts] = /^([^:]*):(.*)$/s.exec(bytes.toString()) ?? [];
  return parts.map((one) => decodeURIComponent(one.replaceAll('+', ' ')));
}

function isAssertion(
  assertion: string,
  { clientId, publicKey, url }: { clientId: string; publicKey: string; url: string },
): boolean {
  const [header = '', payload = '', signature = ''] = assertion.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { alg } = read(header);
  const { iss, sub, aud, exp } = read(payload);
  const key = createPublicKey(publicKey);
  const digest = alg === 'EdDSA' ? null : `sha${String(alg).slice(2)}`;
  const signed = { key, dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify(digest, Buffer.from(`${header}.${payload}`), signed, Buffer.from(signature, 'base64url'));
  return isSigned && iss === clientId && sub === clientId && aud === url && exp > Date.now() / 1_000;
}
