// The index is written (docs/site/search-index.mjs) and read (search.js) with the same options.
/** A reader looks for a guide or a rule before a measurement, an old decision or a list of changes. */
const WEIGHTS = [
  [/^\/docs\/(how-to|receiving|producing|operating|start)\b/, 1.3],
  [/^\/docs\/(adr|benchmarks|changelog|interface-tests|sdks\/conformance)\b/, 0.3],
];
const weightOf = (href) => WEIGHTS.find(([pattern]) => pattern.test(href))?.[1] ?? 1;

export const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'href', 'excerpt'],
  searchOptions: {
    boost: { heading: 4, page: 2 },
    boostDocument: (_id, _term, { href }) => weightOf(href),
    prefix: true,
    fuzzy: 0.1,
    combineWith: 'AND',
  },
};
