import { Agent, request } from 'node:http';
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';

/** The target of the posts: addresses and paths in rotation, headers and body. */
export type Ingest = {
  baseUrls: readonly string[];
  paths: readonly string[];
  headers: Record<string, string>;
  body: string;
  /** Bodies to use in rotation instead of `body`, where posts are sent at full rate. */
  bodies?: readonly string[];
  /** Ordering keys to use in rotation. */
  orderingKeys?: readonly string[];
};

export type Rate = {
  accepted: number;
  refused: number;
  /** When the first post was sent, in milliseconds since the epoch. */
  startedAt: number;
  /** Counted from `startedAt`. */
  seconds: number;
};

/**
 * Posts for `seconds` over `connections`, which are shared among the addresses. Each connection sends its next post
 * after the response. Each connection begins at a different path or key, spread over all of them, or all would post to
 * the same ones in waves. It takes a second to prepare 1,000 requests for each connection; that second does not count.
 */
export async function postFlatOut(ingest: Ingest, connections: number, seconds: number): Promise<Rate> {
  const { baseUrls, headers } = ingest;
  const targets = targetsOf(ingest);
  const apart = Math.max(1, Math.floor(targets.length / connections));
  let clients = 0;
  let startedAt = now();
  const runs = await Promise.all(
    baseUrls.map((url) =>
      autocannon({
        url,
        setupClient(client) {
          clients += 1;
          const from = (clients * apart) % targets.length;
          const rotated = [...targets.slice(from), ...targets.slice(0, from)];
          client.setRequests(
            rotated.map((one) => ({
              method: 'POST',
              body: one.body,
              path: one.path,
              headers: { ...headers, ...one.headers },
            })),
          );
          startedAt = now();
        },
        connections: Math.round(connections / baseUrls.length),
        duration: seconds,
      }),
    ),
  );
  return {
    accepted: runs.reduce((sum, run) => sum + run['2xx'], 0),
    refused: runs.reduce((sum, run) => sum + run.non2xx + run.errors, 0),
    startedAt,
    seconds: (Math.max(...runs.map((run) => run.finish.getTime())) - startedAt) / 1_000,
  };
}

type PostTarget = { path: string; body: string; headers: Record<string, string> };

function targetsOf({ paths, body, bodies, orderingKeys }: Ingest): PostTarget[] {
  return (orderingKeys ?? bodies ?? paths).map((_, index): PostTarget => {
    const key = orderingKeys?.[index];
    const headers: Record<string, string> = key === undefined ? {} : { 'x-ordering-key': key };
    return { path: paths[index % paths.length] ?? '', body: bodies?.[index % bodies.length] ?? body, headers };
  });
}

/** One post of an open loop: its scheduled time and the time of its response, in milliseconds since the epoch. */
export type Post = { id: string; scheduledAt: number; answeredAt: number };

/**
 * Posts at a fixed rate without waiting for responses, so that a slow response cannot delay later posts. Times count
 * from the scheduled send. Rejects when a post is refused.
 */
export async function postSteadily(ingest: Ingest, perSecond: number, seconds: number): Promise<Post[]> {
  const { baseUrls, paths, headers, body } = ingest;
  const agent = new Agent({ keepAlive: true });
  const posts: Promise<Post>[] = [];
  const startedAt = now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const scheduledAt = startedAt + (index * 1_000) / perSecond;
    await until(scheduledAt);
    const url = `${baseUrls[index % baseUrls.length]}${paths[index % paths.length]}`;
    posts.push(postOne({ url, headers, body }, { agent, scheduledAt }));
  }
  const done = await Promise.all(posts);
  agent.destroy();
  return done;
}

/** Posts one event, and returns the time when it was accepted. */
export async function postOnce(ingest: Ingest, agent: Agent): Promise<Post> {
  const { baseUrls, paths, headers, body } = ingest;
  return postOne({ url: `${baseUrls[0]}${paths[0]}`, headers, body }, { agent, scheduledAt: now() });
}

/** Milliseconds since the epoch, with fractions; the same clock in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Waits until a time. Timers have whole milliseconds and may fire slightly early: iterations of the event loop
 * fill the rest.
 */
async function until(at: number): Promise<void> {
  const waitMs = at - now();
  if (waitMs > 1) await pause(waitMs - 1);
  while (now() < at) await nextIteration();
}

function postOne(
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  { agent, scheduledAt }: { agent: Agent; scheduledAt: number },
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
