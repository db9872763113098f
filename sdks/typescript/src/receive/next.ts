export type { NodeRequest, NodeResponse } from './express.ts';
/** For `pages/api`. Put `export const config = { api: { bodyParser: false } }` in the same file. */
export { webhookHandler as webhookApiHandler } from './express.ts';
/** For `app`: `export const POST = webhookHandler(secret, async (webhook) => { … })`. */
export { webhookHandler } from './fetch.ts';
export type { ReceiveOptions, Secrets, Webhook, WebhookHandler } from './receive.ts';
