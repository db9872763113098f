import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSdks, leftOver } from './generate.ts';

// `npm run sdks:generate`: writes the generated files of the libraries. A test checks that they fit the document.
const generated = generateSdks();
for (const [path, text] of generated) {
  const file = fileOf(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const path of leftOver(generated)) rmSync(fileOf(path));

function fileOf(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
