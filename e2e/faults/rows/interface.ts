import type { Row } from '../row.ts';
import { credentials } from './interface-credentials.ts';
import { cursors } from './interface-cursors.ts';
import { foreignIds } from './interface-foreign-ids.ts';
import { payloads } from './interface-payloads.ts';
import { races } from './interface-races.ts';

/** Rows with hostile and concurrent requests to the interface, spread over both API processes. */
export const interfaceRows: readonly Row[] = [
  {
    name: 'races',
    fault:
      '50 concurrent requests ask for the same slug, externalId, type name, last environment or key, 20 times each',
    pass: 'exactly one winner, never 11 environments',
    run: races,
  },
  {
    name: 'credentials',
    fault: 'every operation is called with every kind of credential in every state',
    pass: 'only the right live credential is accepted; all others get the same bytes',
    run: credentials,
  },
  {
    name: 'foreign-ids',
    fault: 'every place for an id gets an id of another workspace',
    pass: 'same bytes and time as for a missing id',
    run: foreignIds,
  },
  {
    name: 'cursors',
    fault: '5,000 cursors are altered, and cursors are used at every other list, filter, endpoint and workspace',
    pass: 'invalid_cursor',
    run: cursors,
  },
  {
    name: 'payloads',
    fault: '1,000 hostile bodies are sent, alone and in batches; others are too large or compressed',
    pass: 'byte-identical at the receiver, never a 5xx, 413 and 415',
    run: payloads,
  },
];
