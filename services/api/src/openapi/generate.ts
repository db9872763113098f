import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenApi } from './document.ts';
import { offered } from './offered.ts';

// `npm run openapi:generate`: writes docs/openapi.json, which a test compares with the rows.
const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url));
mkdirSync(docs, { recursive: true });
writeFileSync(`${docs}openapi.json`, `${JSON.stringify(createOpenApi(offered), null, 2)}\n`);
