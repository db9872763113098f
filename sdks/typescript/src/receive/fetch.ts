import { type ReceiveOptions, receive, requireSecrets, type Secrets, type WebhookHandler } from './receive.ts';

export type { ReceiveOptions, Secrets, Webhook, WebhookHandler } from './receive.ts';

/**
 * A handler for every framework with `Request` and `Response`, such as Hono, Deno, Bun and workers:
 * `app.post('/webhooks', (c) => handle(c.req.raw))`
 */
export function webhookHandler(
  secrets: Secrets,
  handler: WebhookHandler,
  options: ReceiveOptions = {},
): (request: Request) => Promise<Response> {
  const live = requireSecrets(secrets);
  return async (request) => {
    const body = request.body as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null;
    const received = await receive(body, request.headers, live, handler, options);
    return received.status === 204
      ? new Response(null, { status: 204 })
      : new Response(received.message, { status: received.status });
  };
}
