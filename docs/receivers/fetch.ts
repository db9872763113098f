import { keepOnce } from './inbox.ts';
import { isGenuine, keyOf } from './verify.ts';

/** A route handler for Next.js, Hono, Remix, SvelteKit, Bun or Deno. */
export async function POST(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const header = (name: string) => request.headers.get(name);
  if (!isGenuine(keyOf(process.env.WEBHOOK_SECRET), header, body)) return new Response(null, { status: 400 });
  await keepOnce(header('webhook-id') ?? '', header('content-type') ?? '', body);
  return new Response(null, { status: 204 });
}
