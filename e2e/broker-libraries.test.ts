import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { freePort } from '@posthorn/testkit/free-port';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

/** The library of each kind, by the folder of its package. */
const LIBRARIES = { rabbitmq: 'amqplib', nats: '@nats-io', kafka: '@platformatic/kafka', sqs: '@aws-sdk' };
type Kind = keyof typeof LIBRARIES;

/** A program that runs before the service and writes down every module that the process loads. */
const PRELUDE = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\\\n');
    return next(url, context);
  }
\`));`;

describe('ARCHITECTURE.md: a kind may import its library, because it is loaded with the first event for an endpoint of the kind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-libraries-'));
  const list = join(folder, 'loaded');
  let stack: Stack;

  beforeAll(async () => {
    const prelude = join(folder, 'prelude.mjs');
    writeFileSync(prelude, PRELUDE);
    stack = await startStack({ dispatchers: 0, settings: { EGRESS_ALLOW_PLAINTEXT: 'true' } });
    const NODE_OPTIONS = `--import=${pathToFileURL(prelude).href}`;
    await stack.startDispatcher({ NODE_OPTIONS, LOADED_MODULES: list });
  }, 90_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }, 60_000);

  /** The kinds whose library is loaded. A file of the bundle has the code of several modules, which its map names. */
  const loaded = (): Kind[] => {
    const files = readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:'));
    const sources = [...new Set(files)].flatMap((url) => {
      const map = `${fileURLToPath(url)}.map`;
      return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')).sources as string[]) : [url];
    });
    const isLoaded = (library: string) => sources.some((source) => source.includes(`/node_modules/${library}/`));
    expect([isLoaded('pg'), isLoaded('bullmq')]).toEqual([true, stack.redisUrl !== '']);
    return (Object.keys(LIBRARIES) as Kind[]).filter((kind) => isLoaded(LIBRARIES[kind])).sort();
  };

  test('a dispatcher that is ready has loaded none, and loads each with the first event for its kind', async () => {
    expect(loaded()).toEqual([]);
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const ingest = createIngest(stack);
    // Nothing listens there, so the attempt fails after the library was loaded.
    const server = `127.0.0.1:${await freePort()}`;
    const keys = { accessKeyId: 'AKIA', secretAccessKey: 'key' };
    const endpoints: { type: Kind; destination: object; credentials: object }[] = [
      {
        type: 'kafka',
        destination: { brokers: [server], topic: 'events', tls: false },
        credentials: {},
      },
      { type: 'nats', destination: { servers: [server], subject: 'events' }, credentials: { token: 'token' } },
      {
        type: 'rabbitmq',
        destination: { host: '127.0.0.1', port: Number(server.split(':')[1]) },
        credentials: { username: 'user', password: 'password' },
      },
      {
        type: 'sqs',
        destination: { queueUrl: `http://${server}/1/events`, region: 'eu-central-1' },
        credentials: keys,
      },
    ];
    const used: Kind[] = [];
    for (const { type, destination, credentials } of endpoints) {
      const { status, body } = await client.call('POST', '/endpoints', { type, config: { destination }, credentials });
      expect([type, status, body.error]).toEqual([type, 201, undefined]);
      expect((await ingest(String(body.id), '{}')).status).toBe(202);
      used.push(type);
      await waitFor(() => loaded().includes(type), { what: `the library of ${type} to be loaded` });
      expect(loaded()).toEqual(used);
    }
  }, 60_000);
});
