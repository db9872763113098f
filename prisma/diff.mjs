// Prints the SQL that leads from one Prisma schema to another: `npm run db:diff -- [OLD.prisma] prisma/schema.prisma`
// (`git show HEAD:prisma/schema.prisma > OLD.prisma` is one way to get the old one; without it, from nothing).
// It runs Prisma's own schema engine compiled to WebAssembly, so it needs neither an engine binary nor a database.
// What the schema cannot say (partitions, partial indexes, triggers) is added to the migration by hand.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);
if (files.length < 1 || files.length > 2) {
  process.stderr.write('usage: npm run db:diff -- [OLD.prisma] NEW.prisma\n');
  process.exit(2);
}
const require = createRequire(join(process.cwd(), 'package.json'));
const load = (path) => import(pathToFileURL(path).href);

const gluePath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
const glue = await load(gluePath);
const wasm = readFileSync(join(dirname(gluePath), 'schema_engine_bg.wasm'));
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue });
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start?.();

// The engine asks a server for its version before it does anything; the answer is given here.
const { bindSqlAdapterFactory } = await load(require.resolve('@prisma/driver-adapter-utils'));
const version = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [5, 7, 0],
  rows: [[true, 'PostgreSQL 18.0', 180000]],
};
const server = {
  provider: 'postgres',
  adapterName: 'none',
  queryRaw: async () => version,
  executeRaw: async () => 0,
  executeScript: async () => {},
  dispose: async () => {},
  getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
};
const adapter = bindSqlAdapterFactory({
  provider: 'postgres',
  adapterName: 'none',
  connect: async () => server,
  connectToShadowDb: async () => server,
});

const side = (path) => ({ tag: 'schemaDatamodel', files: [{ path, content: readFileSync(path, 'utf8') }] });
const from = files.length === 2 ? side(files[0]) : { tag: 'empty' };
const to = side(files.at(-1));
const datamodels = to.files.map((file) => [file.path, file.content]);
const engine = await glue.SchemaEngine.new({ datamodels }, () => {}, adapter);
const filters = { externalTables: [], externalEnums: [] };
const result = await engine.diff({ from, to, script: true, shadowDatabaseUrl: null, exitCode: null, filters });
process.stdout.write(result.stdout ?? '');
process.exit(0);
