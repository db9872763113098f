import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// docs/interface-tests.md lists the tests of each section of docs/interface.md. It is written by this test:
// UPDATE_INTERFACE_TESTS=1 npm test -- e2e/contract/test-map

const here = new URL('./', import.meta.url);
const kept = new URL('../../docs/interface-tests.md', import.meta.url);
const contract = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
const TITLE =
  /\b(?:test|describe)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"])(docs\/interface\.md, (?:\\.|(?!\1).)*)\1/g;

/** The headings of docs/interface.md in order, each with its part (a heading of level 2). */
const headings = readHeadings();

type Row = { heading: string; guarantee: string; file: string };

test('docs/interface-tests.md names every test of the interface, by section', () => {
  const written = toMarkdown(readRows());
  if (process.env.UPDATE_INTERFACE_TESTS !== undefined) writeFileSync(kept, written);
  expect(readFileSync(kept, 'utf8')).toBe(written);
});

test('each section that a test names is a heading of docs/interface.md', () => {
  expect(readRows().filter(({ heading }) => !headings.has(heading))).toEqual([]);
});

test('each part of the interface that can be observed has a test', () => {
  const tested = new Set(readRows().map(({ heading }) => headings.get(heading)));
  const untested = new Set(['Versioning', 'Settings']);
  for (const part of headings.values()) if (!untested.has(part)) expect(tested).toContain(part);
});

function readHeadings(): Map<string, string> {
  const found = new Map<string, string>();
  let part = '';
  for (const [, level = '', heading = ''] of contract.matchAll(/^(##+) (.+)$/gm)) {
    if (level === '##') part = heading;
    found.set(heading, part);
  }
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
    return lines.length === 0 ? [] : [`## [${name}](interface.md#${anchorOf(name)})\n\n${lines.join('\n')}\n`];
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
