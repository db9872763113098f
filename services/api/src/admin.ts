import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newToken } from '@posthorn/crypto/token';
import { migrate } from '@posthorn/db/migrate';
import { commonSettings, readSettings } from '@posthorn/runtime/env';
import { z } from 'zod';

const USAGE = `usage: posthorn-admin <command>

  migrate        apply the migrations that are missing, and make the daily partitions (DATABASE_URL)
  new-token      print a new management token, for BOOTSTRAP_MANAGEMENT_TOKEN
  new-api-key    print a new API key, for BOOTSTRAP_API_KEY
  new-key        print a new key, for SEALING_KEYS or CURSOR_KEYS
`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const commands: Record<string, () => Promise<string> | string> = {
  async migrate() {
    const { DATABASE_URL } = readSettings(z.object({ DATABASE_URL: commonSettings.DATABASE_URL }));
    const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
    return JSON.stringify({ applied: await migrate({ databaseUrl: DATABASE_URL, migrationsDirectory }) });
  },
  'new-token': () => newToken('management'),
  'new-api-key': () => newToken('apiKey'),
  'new-key': () => `k${randomBytes(3).toString('hex')}:${randomBytes(32).toString('base64')}`,
};

const [name = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) && rest.length === 0 ? commands[name] : undefined;
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exit(EXIT_USAGE);
}
try {
  process.stdout.write(`${await command()}\n`);
} catch (error) {
  process.stderr.write(`posthorn-admin ${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_FAILED);
}
