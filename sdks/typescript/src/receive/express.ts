import { type ReceiveOptions, receive, requireSecrets, type Secrets, type WebhookHandler } from './receive.ts';

export type { ReceiveOptions, Secrets, Webhook, WebhookHandler } from './receive.ts';

/** A request of Express, of Next.js pages, or of Node itself. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  resume?(): unknown;
};

export type NodeResponse = { statusCode: number; end(body?: string): unknown };

/**
 * A route handler: `app.post('/webhooks', webhookHandler(secret, async (webhook) => { … }))`. It reads the body itself,
 * so put it before `express.json()`, or after `express.raw({ type: () => true, limit: '1.5mb' })`. Without `next`, as
 * in `node:http`, its promise rejects with the error of your handler: answer 500 then.
 */
export function webhookHandler(
  secrets: Secrets,
  handler: WebhookHandler,
  options: ReceiveOptions = {},
): (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => Promise<void> {
  const live = requireSecrets(secrets);
  return async (request, response, next) => {
    try {
      const received = await receive(bodyOf(request), request.headers, live, handler, options);
      response.statusCode = received.status;
      response.end(received.status === 204 ? undefined : received.message);
      // The rest of a body that is too large is read and dropped: the connection has more requests.
      request.resume?.();
    } catch (error) {
      if (next === undefined) throw error;
      next(error);
    }
  };
}

function bodyOf(request: NodeRequest): AsyncIterable<Uint8Array> | Uint8Array | string {
  const { body } = request;
  // Leaving the loop must not destroy the request, or the rest of a body that is too large could not be read.
  if (body === undefined || body === null) return request.iterator?.({ destroyOnReturn: false }) ?? request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new Error('The body was parsed before, and its bytes are lost: put the webhook route before express.json()');
}
