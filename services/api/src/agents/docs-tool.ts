import { z } from 'zod';
import { clip } from './answer.ts';
import * as args from './arguments.ts';
import { searchDocs } from './search-docs.ts';
import { tool } from './tool.ts';

/** The most characters of a section that an answer shows. */
const EXCERPT = 900;

export const docsTool = tool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Searches the Posthorn documentation: statuses, failure reasons, limits, signatures, filters, settings and guides. Works without internet access.',
  needs: [],
  input: z.strictObject({
    query: z
      .string()
      .min(2, 'must be at least 2 characters')
      .max(200, 'must be at most 200 characters')
      .describe('A few words, such as "rotate secret" or "circuit breaker".'),
    limit: args.limit.default(3),
  }),
  async run(_caller, { query, limit }) {
    const found = searchDocs(query, limit);
    return {
      lines: [
        found.length === 0
          ? 'Nothing fits. Use other words.'
          : `The documents say (whole pages are at {base_url}/docs/…):`,
        ...found.flatMap(({ path, page, heading, text }) => [
          ``,
          `## ${page}: ${heading} (docs/${path})`,
          excerpt(text, query),
        ]),
      ],
      facts: { sections: found.map(({ path, page, heading }) => ({ path: `docs/${path}`, page, heading })) },
    };
  },
});

/** The part of a text around the first word of the query. */
function excerpt(text: string, query: string): string {
  const words = query
    .toLowerCase()
    .split(' ')
    .filter((word) => word.length > 3);
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), text.length);
  const from = at === text.length || at < EXCERPT / 2 ? 0 : text.lastIndexOf('\n', at - EXCERPT / 4) + 1;
  return `${from > 0 ? '…' : ''}${clip(text.slice(from), EXCERPT)}`;
}
