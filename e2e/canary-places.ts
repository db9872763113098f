import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';

/** Secrets by their names. */
export type Canaries = Record<string, string>;

/** The names of the secrets in a text: as plain text, in hexadecimal, or in base64 at any byte offset. */
export function secretsIn(text: string, canaries: Canaries): string[] {
  return Object.entries(canaries)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Three bytes are four base64 characters, so the characters at the ends of a secret depend on the neighbouring bytes.
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(before === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), ...shifted];
}

/** The whole content of a database as text, by table and column. */
export async function readDatabase({ db }: Pick<TestDatabase, 'db'>): Promise<Map<string, string>> {
  const columns = await db.$queryRaw<{ place: string; content: string }[]>`
    select table_name || '.' || column_name as place,
      query_to_xml(format('select %I from %I', column_name, table_name), true, false, '')::text as content
    from information_schema.columns c join pg_class t on t.relname = c.table_name
    where table_schema = 'public' and t.relnamespace = 'public'::regnamespace
      and t.relkind in ('r', 'p') and not t.relispartition`;
  return new Map(columns.map(({ place, content }) => [place, content]));
}

/**
 * The files of Postgres' write-ahead log since `sinceMs` that contain a form of a secret. The log has everything that
 * was ever written to a table, erased rows included. Undefined for a server on another machine.
 */
export async function walWith(
  { db }: Pick<TestDatabase, 'db'>,
  secret: string,
  sinceMs: number,
): Promise<string[] | undefined> {
  await db.$executeRaw`checkpoint`;
  const [row] = await db.$queryRaw<{ data: string }[]>`select current_setting('data_directory') as data`;
  const folder = join(row?.data ?? '', 'pg_wal');
  if (!existsSync(folder)) return undefined;
  const forms = formsOf(secret).map((form) => Buffer.from(form));
  return readdirSync(folder).filter((name) => {
    const file = join(folder, name);
    // Postgres may rename or remove a file at any time.
    const written = statSync(file, { throwIfNoEntry: false });
    if (written === undefined || !written.isFile() || written.mtimeMs < sinceMs) return false;
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    return forms.some((form) => bytes.includes(form));
  });
}

const READ: Record<string, [command: string, ...args: (string | number)[]]> = {
  string: ['GET'],
  hash: ['HGETALL'],
  list: ['LRANGE', 0, -1],
  set: ['SMEMBERS'],
  zset: ['ZRANGE', 0, -1, 'WITHSCORES'],
  stream: ['XRANGE', '-', '+'],
};

/** All keys and values of Redis under a prefix as text: jobs, their failures, the queues' event streams. */
export async function readRedis(redisUrl: string, prefix: string): Promise<{ keys: string[]; text: string }> {
  const keys = ((await askRedis(redisUrl, 'KEYS', `${prefix}*`)) as string[]).sort();
  const values = await Promise.all(
    keys.map(async (key) => {
      const [command, ...args] = READ[String(await askRedis(redisUrl, 'TYPE', key))] ?? ['DUMP'];
      return [key, await askRedis(redisUrl, command, key, ...args)];
    }),
  );
  return { keys, text: JSON.stringify(values) };
}
