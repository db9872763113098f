// Verifies requests, which come as JSON on standard input, with the providers' own libraries. Prints the names of the
// requests that the libraries accept. A library that throws refuses the request.
import { text } from 'node:stream/consumers';
import '@shopify/shopify-api/adapters/node';
import { verify as github } from '@octokit/webhooks-methods';
import { LATEST_API_VERSION, LogSeverity, shopifyApi } from '@shopify/shopify-api';
import slack from '@slack/bolt';
import hook0 from 'hook0-client';
import Stripe from 'stripe';
import { Webhook } from 'svix';

const TOLERANCE_SECONDS = 300;

const verifiers = {
  svix: ({ body, headers, secret }) => {
    new Webhook(secret).verify(body, headers);
    return true;
  },
  stripe: ({ body, headers, secret }) =>
    new Stripe('sk_test').webhooks.constructEvent(body, headers['stripe-signature'], secret) !== undefined,
  github: ({ body, headers, secret }) => github(secret, body, headers['x-hub-signature-256']),
  shopify: async ({ body, headers, secret }) => {
    const shopify = shopifyApi({
      apiKey: 'key',
      apiSecretKey: secret,
      hostName: 'receiver.test',
      isEmbeddedApp: false,
      apiVersion: LATEST_API_VERSION,
      logger: { level: LogSeverity.Error },
    });
    // The library also requires Shopify's other headers.
    const others = {
      topic: 'orders/create',
      'api-version': '2026-01',
      'shop-domain': 'a.myshopify.com',
      'webhook-id': '1',
    };
    const prefixed = Object.fromEntries(Object.entries(others).map(([name, value]) => [`x-shopify-${name}`, value]));
    const rawRequest = { method: 'POST', url: '/', headers: { ...headers, ...prefixed } };
    return (await shopify.webhooks.validate({ rawBody: body, rawRequest, rawResponse: {} })).valid;
  },
  slack: ({ body, headers, secret }) => {
    const time = Number(headers['x-slack-request-timestamp']);
    slack.verifySlackRequest({
      signingSecret: secret,
      body,
      headers: { 'x-slack-signature': headers['x-slack-signature'], 'x-slack-request-timestamp': time },
    });
    return true;
  },
  hook0: ({ body, headers, secret }) =>
    hook0.verifyWebhookSignature(
      headers['x-hook0-signature'],
      Buffer.from(body),
      new Headers(headers),
      secret,
      TOLERANCE_SECONDS,
    ) === true,
};

const accepted = [];
for (const request of JSON.parse(await text(process.stdin))) {
  const verify = verifiers[request.preset];
  if (verify === undefined) continue;
  const isAccepted = await (async () => verify(request))().catch(() => false);
  if (isAccepted) accepted.push(request.name);
}
process.stdout.write(JSON.stringify(accepted));
