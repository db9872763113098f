import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// docs/interface-tests.md lists the tests of each section of docs/interface.md and the pages that it leads to. It is
// written by this test:
// UPDATE_INTERFACE_TESTS=1 npm test -- e2e/contract/test-map

const here = new URL('./', import.meta.url);
const kept = new URL('../../docs/interface-tests.md', import.meta.url);
const docs = new URL('../../docs/', import.meta.url);
/** The pages of the interface, in the order of its contents. */
const pages = readPages();
const TITLE =
  /\b(?:test|describe)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"])(docs\/interface\.md, (?:\\.|(?!\1).)*)\1/g;

/** The headings of the interface in order, each with its page. */
const headings = readHeadings();

type Row = { heading: string; guarantee: string; file: string };

test('docs/interface-tests.md names every test of the interface, by section', () => {
  const written = toMarkdown(readRows());
  if (process.env.UPDATE_INTERFACE_TESTS !== undefined) writeFileSync(kept, written);
  expect(readFileSync(kept, 'utf8')).toBe(written);
});

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
      const [, heading = '', guarantee = ''] = /^docs\/interface\.md, ([^:]+): (.*)$/.exec(title) ?? [];
      return { heading, guarantee: guarantee.replaceAll("\\'", "'"), file };
    }),
  );
}

function toMarkdown(rows: Row[]): string {
  const parts = [...headings.keys()].flatMap((name) => {
    const lines = rows
      .filter(({ heading }) => heading === name)
      .map(({ guarantee, file }) => `- ${guarantee} ([${file}](../e2e/contract/${file}))`);
    return lines.length === 0 ? [] : [`## [${name}](${headings.get(name)}#${anchorOf(name)})\n\n${lines.join('\n')}\n`];
  });
  return `# The interface and its tests\n\n${INTRODUCTION}\n\n${parts.join('\n')}`;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

const INTRODUCTION = `The promises of [interface.md](interface.md), section by section, and the test that proves each over HTTP. The tests in
\`services/\` and \`packages/\` prove the parts. The tests in [e2e](../e2e) prove the whole under faults.`;
