import {
  MAX_BYTES,
  type ReceiveOptions,
  receive,
  requireSecrets,
  type Secrets,
  type WebhookHandler,
} from './receive.ts';

export type { ReceiveOptions, Secrets, Webhook, WebhookHandler } from './receive.ts';

export type WebhookPluginOptions = ReceiveOptions & {
  /** The path of the route. */
  path: string;
  secrets: Secrets;
  handler: WebhookHandler;
};

/** The parts of Fastify that the plugin uses. Fastify's own types would make it a dependency. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { headers: Record<string, string | string[] | undefined>; body: unknown },
      reply: { code(status: number): { send(body?: string): unknown } },
    ) => Promise<unknown>,
  ): unknown;
};

/**
 * A Fastify plugin: `fastify.register(webhooks, { path: '/webhooks', secrets, handler })`. Other routes keep their
 * parsers.
 */
// biome-ignore lint/suspicious/noExplicitAny: the type of Fastify's instance is its own, and depends on the server.
export async function webhooks(fastify: any, options: WebhookPluginOptions): Promise<void> {
  const scope: FastifyScope = fastify;
  const { path, secrets, handler, ...more } = options;
  const live = requireSecrets(secrets);
  scope.removeAllContentTypeParsers();
  const bodyLimit = more.maxBytes ?? MAX_BYTES;
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  scope.post(path, async (request, reply) => {
    const body = request.body instanceof Uint8Array ? request.body : '';
    const received = await receive(body, request.headers, live, handler, more);
    return reply.code(received.status).send(received.status === 204 ? undefined : received.message);
  });
}
