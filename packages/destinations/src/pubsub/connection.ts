import { createPrivateKey } from 'node:crypto';
import type { DescMethodUnary } from '@bufbuild/protobuf';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { Lookup } from '@posthorn/egress/lookup';
import { SignJWT } from 'jose';
import { FoundError, withoutSecrets } from '../broker/failures.ts';
import type { BrokerConnection, BrokerPlace } from '../broker/open-broker.ts';
import { readAccount, type ServiceAccount } from './account.ts';
import { GOOGLE, type PubSubSettings, serverOf } from './describe.ts';
import { CLOSED, describePubSubError } from './fault.ts';
import { getTopic, publish } from './publisher.ts';
import { openSession } from './session.ts';

/** The topic has the form `projects/<id>/topics/<id>`. */
export type PubSubMessage = {
  topic: string;
  data: Uint8Array;
  attributes: Record<string, string>;
  /** Empty if there is no ordering key. */
  orderingKey: string;
};

export type PubSub = BrokerConnection & {
  /** Resolves with the id of the stored message. */
  publish(message: PubSubMessage): Promise<string>;
  /** Rejects unless the topic exists. */
  checkTopic(topic: string): Promise<void>;
};

/** The most bytes of an answer: an id, or the settings of a topic. */
const MOST_BYTES = 65_536;

/** Connects to an address that `lookup` allows. Every request carries its own sign-in. */
export async function connectPubSub(
  { settings, credentials }: BrokerPlace<PubSubSettings>,
  { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number },
): Promise<PubSub> {
  const server = serverOf(settings);
  const account = readAccount(credentials.serviceAccountJson ?? '');
  if (account === undefined) throw new FoundError(NO_ACCOUNT);
  const tokenOf = createTokens(account, server.host);
  const { tls, ca } = settings;
  const session = await openSession({ ...server, tls, ca }, { lookup, signal: AbortSignal.timeout(timeoutMs) });
  const transport = createGrpcTransport({
    baseUrl: session.origin,
    // No compression: a compressed answer could be larger than it looks.
    ...{ readMaxBytes: MOST_BYTES, acceptCompression: [] },
    sessionManager: {
      authority: session.origin,
      async request(method, path, headers, options) {
        if (!session.isOpen()) throw new FoundError(CLOSED);
        return session.request({ ...headers, ':method': method, ':path': path }, options);
      },
      notifyResponseByteRead() {},
    },
  });

  const call = async (method: DescMethodUnary, topic: string, input: Record<string, unknown>): Promise<object> => {
    const token = await tokenOf().catch(() => {
      throw new FoundError(NO_ACCOUNT);
    });
    const headers = {
      authorization: `Bearer ${token}`,
      'x-goog-request-params': `topic=${encodeURIComponent(topic)}`,
      'user-agent': 'posthorn',
    };
    try {
      return (await transport.unary(method, undefined, undefined, headers, input)).message;
    } catch (error) {
      // The server may be anybody's, and may repeat the token.
      throw new FoundError(withoutSecrets(describePubSubError(error), { token }));
    }
  };
  return {
    isOpen: session.isOpen,
    close: session.close,
    remoteAddress: () => session.address,
    whyLate: () => undefined,
    async publish({ topic, ...message }) {
      const answer: { messageIds?: unknown } = await call(publish, topic, { topic, messages: [message] });
      const [id, ...more] = Array.isArray(answer.messageIds) ? answer.messageIds : [];
      if (typeof id !== 'string' || id === '' || id.length > 200 || more.length > 0) throw new FoundError(NO_ID);
      return id;
    },
    async checkTopic(topic) {
      await call(getTopic, topic, { topic });
    },
  };
}

const NO_ACCOUNT = {
  errorCode: 'authentication_failed',
  message: 'The key of the service account is missing, or cannot be read or used',
} as const;
const NO_ID = { errorCode: 'protocol_error', message: 'The answer has no id of the message' } as const;

const LIFETIME_SECONDS = 3_600;
/** The longest use of a token, short enough that it does not expire during an attempt. */
const USED_MS = 3_000_000;

/**
 * Signs the tokens of a service account. Google accepts them directly (https://google.aip.dev/auth/4111), so no token
 * server is asked, and the address in the key file is not used.
 */
function createTokens(account: ServiceAccount, host: string): () => Promise<string> {
  const key = createPrivateKey(account.private_key);
  // Another server must not get a token that is valid at Google.
  const audience = host.endsWith('.googleapis.com') ? GOOGLE.host : host;
  let kept: { token: Promise<string>; atMs: number } | undefined;
  const sign = () =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
      .setIssuer(account.client_email)
      .setSubject(account.client_email)
      .setAudience(`https://${audience}/`)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS} s`)
      .sign(key);
  return () => {
    const nowMs = performance.now();
    if (kept === undefined || nowMs - kept.atMs > USED_MS) kept = { token: sign(), atMs: nowMs };
    return kept.token;
  };
}
