import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// docs/interface-tests.md lays the interface and its tests side by side. It is written by this test:
// UPDATE_INTERFACE_TESTS=1 npm test -- e2e/contract/test-map

const here = new URL('./', import.meta.url);
const kept = new URL('../../docs/interface-tests.md', import.meta.url);
const TITLE =
  /\b(?:test|describe)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"])((?:interface|decisions) §(?:\\.|(?!\1).)*)\1/g;

type Row = { document: string; section: string; guarantee: string; file: string };

test('docs/interface-tests.md names every test of the interface, by section', () => {
  const written = toMarkdown(readRows());
  if (process.env.UPDATE_INTERFACE_TESTS !== undefined) writeFileSync(kept, written);
  expect(readFileSync(kept, 'utf8')).toBe(written);
});

test('each section of the interface that can be observed has a test', () => {
  const sections = new Set(readRows().map(({ document, section }) => `${document} ${section.split(' ')[0]}`));
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) expect(sections).toContain(`interface §${number}`);
  for (const number of [1, 2, 3, 4, 5, 6, 7, 10]) expect(sections).toContain(`decisions §${number}`);
});

function readRows(): Row[] {
  const files = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name !== 'test-map.test.ts');
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, here), 'utf8').matchAll(TITLE)].map(([, , title = '']) => {
      const [, document = '', section = '', guarantee = ''] = /^(\w+) (§[^:]+): (.*)$/.exec(title) ?? [];
      return { document, section, guarantee: guarantee.replaceAll("\\'", "'"), file };
    }),
  );
}

function toMarkdown(rows: Row[]): string {
  const sections = [...new Set(rows.map(({ document, section }) => `${document} ${section}`))].sort(bySection);
  const parts = sections.map((name) => {
    const lines = rows
      .filter(({ document, section }) => `${document} ${section}` === name)
      .map(({ guarantee, file }) => `- ${guarantee} ([${file}](../e2e/contract/${file}))`);
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# The interface and its tests\n\n${INTRODUCTION}\n\n${parts.join('\n')}`;
}

/** By document and number; `§10` after `§9`. */
function bySection(a: string, b: string): number {
  const key = (name: string) => name.replace(/§(\d+)/, (_, number: string) => `§${number.padStart(2, '0')}`);
  return key(a) < key(b) ? -1 : 1;
}

const INTRODUCTION = `The promises of [interface.md](interface.md), and the test that proves each over HTTP. _interface_ and _decisions_ are the
two texts that it was written from; the test titles cite their sections. The tests in \`services/\` and \`packages/\` prove
the parts. The tests in [e2e](../e2e) prove the whole under faults.`;
