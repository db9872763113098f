import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSdks } from './generate.ts';

// `npm run sdks:generate`: writes the generated files of the libraries, which a test compares with the document.
for (const [path, text] of generateSdks()) {
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
