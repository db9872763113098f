import Fastify from 'fastify';
import { keepOnce } from './inbox.ts';
import { isGenuine, keyOf } from './verify.ts';

const key = keyOf(process.env.WEBHOOK_SECRET);
const app = Fastify({ bodyLimit: 1_048_576 });
// In an application with other routes, register this parser and the route in a plugin of their own.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/webhooks', async (request, reply) => {
  const header = (name: string) => request.headers[name]?.toString();
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isGenuine(key, header, body)) return reply.code(400).send();
  await keepOnce(header('webhook-id') ?? '', header('content-type') ?? '', body);
  return reply.code(204).send();
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
