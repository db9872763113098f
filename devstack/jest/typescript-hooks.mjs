// Hooks of Node's loader: the types of TypeScript are replaced by blanks, so every line and column stays where it is and
// no source map is needed. What was stripped is kept between runs. A newer Node does this by itself.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { version } = require('@swc/wasm-typescript/package.json');
const cache = fileURLToPath(new URL(`../../node_modules/.cache/types-stripped/${version}`, import.meta.url));
const globals = new URL('./globals.mjs', import.meta.url).href;
mkdirSync(cache, { recursive: true });

export async function resolve(specifier, context, next) {
  // The package itself throws outside of an environment of Jest.
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  return await next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url)) return await next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  return { format: 'module', source: strip(source), shortCircuit: true };
}

function strip(source) {
  const file = join(cache, createHash('sha256').update(source).digest('hex'));
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { transformSync } = require('@swc/wasm-typescript');
    const { code } = transformSync(source, { mode: 'strip-only' });
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
    return code;
  }
}
