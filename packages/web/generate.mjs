// Writes src/generated/api.ts: the types of the operations that the dashboard and the portal may call, from
// docs/openapi.json. The file is not committed: `npm start`, `npm test` and `npm run openapi:generate` make it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const room = dirname(fileURLToPath(import.meta.url));
const document = JSON.parse(readFileSync(join(room, '../../docs/openapi.json'), 'utf8'));
const isOffered = ([path]) => path === '/readyz' || (path.startsWith('/api/') && !path.startsWith('/api/ingest/'));
const paths = Object.fromEntries(Object.entries(document.paths).filter(isOffered));
const { webhooks: _, ...rest } = document;
const types = await openapiTS({ ...rest, paths }, { silent: true });
mkdirSync(join(room, 'src/generated'), { recursive: true });
writeFileSync(join(room, 'src/generated/api.ts'), astToString(types));
