import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parts of a request that a receiver reads. */
export type Signed = { headers: Record<string, string>; body: string };

/**
 * Another service, and the receivers of its customers. `sign` makes the headers that the service sends, and `verify` is
 * the code of a receiver. Both are written from the documents of the service, and know nothing of Posthorn.
 */
export type Peer = {
  /** The value of `config.signature` that suits its receivers. */
  signature: string;
  secret: string;
  sign(body: string, secret: string, now: number): Record<string, string>;
  verify(request: Signed, secret: string, now: number): boolean;
};

const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content);

function isSame(a: string | undefined, b: string): boolean {
  const [left, right] = [Buffer.from(a ?? ''), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const isRecent = (seconds: string | undefined, now: number) => Math.abs(now - Number(seconds)) <= 300;

/** The values of `t=1,v1=a,v1=b` by name. A name may occur more than once. */
function parts(header: string | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...value] = part.split('=');
    found.set(name, [...(found.get(name) ?? []), value.join('=')]);
  }
  return found;
}

const svixKey = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');

/** A service whose only header is an HMAC of the body. */
function ofBody(
  signature: string,
  header: string,
  secret: string,
  form: (content: string, secret: string) => string,
): Peer {
  return {
    ...{ signature, secret },
    sign: (body, given) => ({ [header]: form(body, given) }),
    verify: ({ headers, body }, given) => isSame(headers[header], form(body, given)),
  };
}

export const PEERS: Record<string, Peer> = {
  // docs.svix.com/receiving/verifying-payloads/how-manual
  Svix: {
    signature: 'svix',
    secret: `whsec_${Buffer.from('of one endpoint at Svix!').toString('base64')}`,
    sign(body, secret, now) {
      const signed = hmac(svixKey(secret), `msg_1.${now}.${body}`).digest('base64');
      return { 'svix-id': 'msg_1', 'svix-timestamp': `${now}`, 'svix-signature': `v1,${signed}` };
    },
    verify({ headers, body }, secret, now) {
      const { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': given = '' } = headers;
      const expected = hmac(svixKey(secret), `${id}.${time}.${body}`).digest('base64');
      return isRecent(time, now) && given.split(' ').some((one) => isSame(one, `v1,${expected}`));
    },
  },
  // www.getconvoy.io/docs/product-manual/signatures: simple and advanced signatures
  Convoy: ofBody('convoy', 'x-convoy-signature', 'a secret of Convoy', (body, secret) =>
    hmac(secret, body).digest('hex'),
  ),
  'Convoy, advanced': {
    ...{ signature: 'convoy-advanced', secret: 'another secret of Convoy' },
    sign: (body, secret, now) => ({
      'x-convoy-signature': `t=${now},v1=${hmac(secret, `${now},${body}`).digest('hex')}`,
    }),
    verify({ headers, body }, secret, now) {
      const found = parts(headers['x-convoy-signature']);
      const [time] = found.get('t') ?? [];
      const expected = hmac(secret, `${time},${body}`).digest('hex');
      return isRecent(time, now) && [...found.values()].flat().some((one) => isSame(one, expected));
    },
  },
  // outpost.hookdeck.com/docs/destinations/webhook
  Outpost: {
    ...{ signature: 'outpost', secret: 'a secret of Outpost' },
    sign: (body, secret) => ({ 'x-outpost-signature': `v0=${hmac(secret, body).digest('hex')}` }),
    verify({ headers, body }, secret) {
      const [scheme, given = ''] = (headers['x-outpost-signature'] ?? '').split('=');
      return scheme === 'v0' && given.split(',').some((one) => isSame(one, hmac(secret, body).digest('hex')));
    },
  },
  // documentation.hook0.com/tutorials/webhook-authentication
  Hook0: {
    ...{ signature: 'hook0', secret: 'b3d0c6a1-70e5-4b67-9b6c-d8b2f57e3d2b' },
    sign(body, secret, now) {
      const v0 = hmac(secret, `${now}.${body}`).digest('hex');
      return { 'x-hook0-signature': `t=${now},v0=${v0}` };
    },
    verify({ headers, body }, secret, now) {
      const found = parts(headers['x-hook0-signature']);
      const [[time] = [], [given] = []] = [found.get('t'), found.get('v0')];
      return isRecent(time, now) && isSame(given, hmac(secret, `${time}.${body}`).digest('hex'));
    },
  },
  // docs.stripe.com/webhooks/signature
  'as Stripe': {
    ...{ signature: 'stripe', secret: 'whsec_of_a_stripe_endpoint' },
    sign: (body, secret, now) => ({
      'stripe-signature': `t=${now},v1=${hmac(secret, `${now}.${body}`).digest('hex')}`,
    }),
    verify({ headers, body }, secret, now) {
      const found = parts(headers['stripe-signature']);
      const [time] = found.get('t') ?? [];
      const expected = hmac(secret, `${time}.${body}`).digest('hex');
      return isRecent(time, now) && (found.get('v1') ?? []).some((one) => isSame(one, expected));
    },
  },
  // docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  'as GitHub': ofBody(
    'github',
    'x-hub-signature-256',
    'a secret as at GitHub',
    (body, secret) => `sha256=${hmac(secret, body).digest('hex')}`,
  ),
  // shopify.dev/docs/apps/build/webhooks/subscribe/https
  'as Shopify': ofBody('shopify', 'x-shopify-hmac-sha256', 'a secret as at Shopify', (body, secret) =>
    hmac(secret, body).digest('base64'),
  ),
  // docs.slack.dev/authentication/verifying-requests-from-slack
  'as Slack': {
    ...{ signature: 'slack', secret: 'a secret as at Slack' },
    sign: (body, secret, now) => ({
      'x-slack-request-timestamp': `${now}`,
      'x-slack-signature': `v0=${hmac(secret, `v0:${now}:${body}`).digest('hex')}`,
    }),
    verify({ headers, body }, secret, now) {
      const time = headers['x-slack-request-timestamp'];
      const expected = `v0=${hmac(secret, `v0:${time}:${body}`).digest('hex')}`;
      return isRecent(time, now) && isSame(headers['x-slack-signature'], expected);
    },
  },
};
