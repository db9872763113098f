import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// The name of each test of the interface begins with the section that it proves: `docs/interface.md, Retention: …`.

const here = new URL('./', import.meta.url);
const docs = new URL('../../docs/', import.meta.url);
/** The pages of the interface, in the order of its contents. */
const pages = readPages();
const TITLE =
  /\b(?:test|describe)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"])(docs\/interface\.md, (?:\\.|(?!\1).)*)\1/g;

/** The headings of the interface in order, each with its page. */
const headings = readHeadings();

type Row = { heading: string; file: string };

test('each section that a test names is a heading of the interface', () => {
  expect(readRows().filter(({ heading }) => !headings.has(heading))).toEqual([]);
});

test('each page of the interface has a test', () => {
  const tested = new Set(readRows().map(({ heading }) => headings.get(heading)));
  for (const page of headings.values()) expect(tested).toContain(page);
});

function readPages(): Map<string, string> {
  const index = readFileSync(new URL('interface.md', docs), 'utf8');
  const names = [...index.matchAll(/^- \[.+?\]\((interface\/[a-z-]+\.md)\)/gm)].map(([, name = '']) => name);
  const read = (name: string) => readFileSync(new URL(name, docs), 'utf8');
  return new Map([['interface.md', index], ...names.map((name): [string, string] => [name, read(name)])]);
}

function readHeadings(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [page, text] of pages)
    for (const [, heading = ''] of text.matchAll(/^#+ (.+)$/gm)) if (!found.has(heading)) found.set(heading, page);
  return found;
}

function readRows(): Row[] {
  const files = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name !== 'test-map.test.ts');
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, here), 'utf8').matchAll(TITLE)].map(([, , title = '']) => {
      const [, heading = ''] = /^docs\/interface\.md, ([^:]+): /.exec(title) ?? [];
      return { heading, file };
    }),
  );
}
