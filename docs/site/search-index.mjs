import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './assets/search-options.js';

const EXCERPT_LENGTH = 160;

/** The index that the page's search loads, as JSON. */
export function indexSections(sections) {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(
    sections.map((section, id) => ({ ...section, id, excerpt: section.text.slice(0, EXCERPT_LENGTH).trim() })),
  );
  return JSON.stringify(index);
}
