import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeGo } from './go.ts';
import { WRITTEN, writeJava } from './java.ts';
import { writePython } from './python.ts';
import { readDocument } from './read-document.ts';
import { writeTypescript } from './typescript.ts';

/** The root of the repository, the same for `src` and `dist`. */
const root = new URL('../../../', import.meta.url);

/** Every generated file of the libraries, formatted, by its path in the repository. */
export function generateSdks(): Map<string, string> {
  const model = readDocument(JSON.parse(readFileSync(new URL('docs/openapi-sdk.json', root), 'utf8')));
  return new Map([
    ...Object.entries(writeTypescript(model)).map(
      ([path, text]) => [`sdks/typescript/${path}`, formatTypescript(text, path)] as const,
    ),
    ...Object.entries(writePython(model, readPythonTemplates())).map(
      ([path, text]) => [`sdks/python/${path}`, text] as const,
    ),
    ...Object.entries(writeGo(model)).map(([path, text]) => [`sdks/go/${path}`, text] as const),
    ...Object.entries(writeJava(model)).map(([path, text]) => [`sdks/java/${path}`, text] as const),
  ]);
}

/** Generated Java files whose type is no longer in the document. The Java library has one file for each type. */
export function leftOver(generated: ReadonlyMap<string, string>): string[] {
  const folder = 'sdks/java/src/main/java/';
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => folder + name)
    .filter((path) => path.endsWith('.java') && !generated.has(path))
    .filter((path) => readFileSync(new URL(path, root), 'utf8').startsWith(WRITTEN));
}

/** The hand-written files of the asynchronous client, by name. The synchronous client is made from them. */
function readPythonTemplates(): Map<string, string> {
  const folder = new URL('sdks/python/src/posthorn_client/_async/', root);
  const names = readdirSync(folder).filter((name) => name.endsWith('.py') && name !== 'resources.py');
  return new Map(names.sort().map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}

function formatTypescript(text: string, path: string): string {
  const biome = new URL('node_modules/@biomejs/biome/bin/biome', root);
  return execFileSync(process.execPath, [biome.pathname, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
}
