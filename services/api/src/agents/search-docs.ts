import MiniSearch from 'minisearch';
import { readDocsPages } from './docs-pages.ts';

/** The text under one heading of a page. */
export type DocsSection = { id: number; path: string; page: string; heading: string; text: string };

let index: { sections: readonly DocsSection[]; search: MiniSearch<DocsSection> } | undefined;

/** The sections of the documents that fit a query best, the best first. The index is made at the first search. */
export function searchDocs(query: string, most: number): DocsSection[] {
  index ??= createIndex();
  const { sections, search } = index;
  return search
    .search(query)
    .slice(0, most)
    .flatMap(({ id }) => sections[Number(id)] ?? []);
}

function createIndex() {
  const sections = readDocsPages()
    .flatMap(sectionsOf)
    .map((section, id) => ({ ...section, id }));
  const search = new MiniSearch<DocsSection>({
    fields: ['heading', 'page', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: (term) => term.length > 3, combineWith: 'OR' },
  });
  search.addAll(sections);
  return { sections, search };
}

function sectionsOf({ path, title, text }: { path: string; title: string; text: string }) {
  // A line of code may begin with #, too. Only lines outside of code are headings.
  const parts: { heading: string; lines: string[] }[] = [{ heading: title, lines: [] }];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    const isHeading = !inCode && (line.startsWith('## ') || line.startsWith('### '));
    if (isHeading) parts.push({ heading: line.slice(line.indexOf(' ') + 1), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts
    .map(({ heading, lines }) => ({ path, page: title, heading, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '');
}
