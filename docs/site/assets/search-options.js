// The index is written (docs/site/search-index.mjs) and read (search.js) with the same options.
/** Weights of pages: readers look for guides and rules, less for measurements, old decisions and lists of changes. */
const WEIGHTS = [
  [/^\/docs\/(how-to|receiving|producing|operating|start)\b/, 1.3],
  [/^\/docs\/(adr|benchmarks|changelog|interface-tests|sdks\/conformance)\b/, 0.3],
];
/** Words that readers use, with our words for the same. */
const SYNONYMS = [
  [/\b(gdpr|dsgvo|right to be forgotten|personal data)\b/i, 'erasure'],
  [/\b(multi[ -]?tenan(t|cy)|tenants?)\b/i, 'customers'],
  [/\b(ip )?(allow|white)[ -]?list(s|ing)?\b|\bstatic ips?\b/i, 'fixed addresses'],
  [/\b(sso|saml|oidc|single sign[ -]?on)\b/i, 'sign-in provider'],
  [/\b(replay|resend|redeliver)\b/i, 'recover'],
  [/\b(dlq|dead letter queue)\b/i, 'dead letter'],
];

/** Translates a query into our words. Undefined if it has no other words of readers. */
export function inOurWords(query) {
  const meant = SYNONYMS.reduce((text, [pattern, words]) => text.replace(pattern, words), query);
  return meant === query ? undefined : meant;
}

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
