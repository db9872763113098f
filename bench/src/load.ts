import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';

/** Where events are posted (the paths in turn), and with what. */
export type Ingest = { baseUrl: string; paths: readonly string[]; headers: Record<string, string>; body: string };

export type Rate = { perSecond: number; accepted: number; refused: number; seconds: number };

/** Posts as fast as `connections` get their answers, for `seconds`. */
export async function postFlatOut(ingest: Ingest, connections: number, seconds: number): Promise<Rate> {
  const result = await autocannon({
    url: ingest.baseUrl,
    requests: ingest.paths.map((path) => ({ method: 'POST', path, headers: ingest.headers, body: ingest.body })),
    connections,
    duration: seconds,
  });
  const accepted = result['2xx'];
  return {
    perSecond: accepted / result.duration,
    accepted,
    refused: result.non2xx + result.errors,
    seconds: result.duration,
  };
}

/** One post of an open loop: when it was meant to go, and when its answer had come. Milliseconds since the epoch. */
export type Post = { id: string; scheduledAt: number; answeredAt: number };

/**
 * Posts at a fixed rate whatever the answers do, so that a slow answer cannot hide the ones behind it: times count from
 * the scheduled send.
 */
export async function postSteadily(ingest: Ingest, perSecond: number, seconds: number): Promise<Post[]> {
  const agent = new Agent({ keepAlive: true });
  const posts: Promise<Post>[] = [];
  const startedAt = now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const scheduledAt = startedAt + (index * 1_000) / perSecond;
    const waitMs = scheduledAt - now();
    if (waitMs > 0) await pause(waitMs);
    const path = ingest.paths[index % ingest.paths.length];
    posts.push(postOne({ ...ingest, url: `${ingest.baseUrl}${path}` }, agent, scheduledAt));
  }
  const done = await Promise.all(posts);
  agent.destroy();
  return done;
}

function postOne(
  { url, headers, body }: Pick<Ingest, 'headers' | 'body'> & { url: string },
  agent: Agent,
  scheduledAt: number,
): Promise<Post> {
  return new Promise((resolve, reject) => {
    const post = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode !== 202) return reject(new Error(`answered ${response.statusCode}: ${text}`));
        resolve({ id: JSON.parse(text).id, scheduledAt, answeredAt: now() });
      });
    });
    post.on('error', reject);
    post.end(body);
  });
}

/** Milliseconds since the epoch, with fractions, alike in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
