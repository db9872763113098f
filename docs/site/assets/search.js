// The search of the page: loaded when somebody first uses it.
import MiniSearch from './minisearch.js';
import { inOurWords, SEARCH_OPTIONS } from './search-options.js';

const MOST_RESULTS = 12;
const loading = fetch('/docs/assets/search.json').then(async (reply) => {
  if (!reply.ok) throw new Error(`The search index answered ${reply.status}`);
  return MiniSearch.loadJSON(await reply.text(), SEARCH_OPTIONS);
});

/** The sections that fit, best first: `{ heading, page, href, excerpt }`. */
export async function search(words) {
  const index = await loading;
  const query = words.trim();
  const meant = inOurWords(query);
  const found = [...(meant === undefined ? [] : index.search(meant)), ...index.search(query)];
  // Sections with some of the words are better than none.
  const all = found.length > 0 ? found : index.search(query, { combineWith: 'OR' });
  return [...new Map(all.map((one) => [one.id, one])).values()].slice(0, MOST_RESULTS);
}
