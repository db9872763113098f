import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The documents. Agents read the same ones as people. `llms.txt` names the served ones. */
const FOLDER = fileURLToPath(new URL('../../../../docs', import.meta.url));

export type DocsPage = { path: string; title: string; text: string };

let pages: readonly DocsPage[] | undefined;

/** The index of the documents, as https://llmstxt.org describes it. */
export function readDocsIndex(): string {
  return readFileSync(join(FOLDER, 'llms.txt'), 'utf8');
}

/** The pages that the index names, in its order. They are read once, at the first use. */
export function readDocsPages(): readonly DocsPage[] {
  pages ??= readDocsIndex()
    .split('\n')
    .flatMap((line) => {
      const [title = '', rest] = line.split('](docs/');
      const path = rest?.slice(0, rest.indexOf(')'));
      return path === undefined
        ? []
        : [{ path, title: title.slice('- ['.length), text: readFileSync(join(FOLDER, path), 'utf8') }];
    });
  return pages;
}
