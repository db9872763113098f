import { z } from 'zod';
import type { Description } from '../kind.ts';

const wholeNumberTo = (least: number, most: number, rule: string) =>
  z.int('must be a whole number').min(least, rule).max(most, rule);

/** How a playground answers (docs/interface.md, Playground). */
const settings = z.looseObject({
  status: wholeNumberTo(200, 599, 'must be 200 to 599')
    .optional()
    .meta({ title: 'Status', description: 'The status of each response. Defaults to 200.', examples: [503] }),
  delayMs: wholeNumberTo(0, 10_000, 'must be 0 to 10,000')
    .optional()
    .meta({ title: 'Delay', description: 'The delay before each response, in milliseconds.', examples: [1_000] }),
  failFirst: wholeNumberTo(0, 20, 'must be 0 to 20')
    .optional()
    .meta({
      title: 'Fail first',
      description: 'The number of attempts of each event that get a response with status 500.',
      examples: [2],
    }),
  body: z
    .string()
    .optional()
    .meta({ title: 'Body', description: 'The body of each response.', examples: ['{"ok":true}'] }),
});
export type PlaygroundSettings = z.output<typeof settings>;

export const playground = {
  type: 'playground',
  label: 'Playground',
  description: 'Needs no server: the service answers each request itself, and keeps it for you to look at.',
  setup:
    'There is nothing to set up. `config.playground` says how each request is answered: with which status, after which time, and how many attempts of an event fail first.',
  delivered: 'The playground answered the request with a status from 200 to 299.',
  ordering:
    'None by default. With `config.ordering: "fifo"`, events with the same ordering key arrive one after another.',
  deduplication: 'The header `webhook-id` is the same in every attempt of an event.',
  maxBytes: null,
  hasUrl: false,
  section: { key: 'playground', schema: settings },
  credentials: null,
  mostInEnvironment: 20,
  whyNotExamined: 'A playground cannot be examined: it has no server',
  keepsRequestBody: true,
  payloadFormat: null,
  target: () => 'playground',
} as const satisfies Description;
