import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenApi } from './document.ts';
import { offered } from './offered.ts';

// `npm run openapi:generate`: writes docs/openapi.json and docs/openapi-sdk.json, which a test compares with the rows.
const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url));
mkdirSync(docs, { recursive: true });
for (const [name, part] of [
  ['openapi.json', 'whole'],
  ['openapi-sdk.json', 'sdk'],
] as const) {
  writeFileSync(`${docs}${name}`, `${JSON.stringify(createOpenApi(offered, part), null, 2)}\n`);
}
