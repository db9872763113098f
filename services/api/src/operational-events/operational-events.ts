import { OPERATIONAL_EVENTS, operationalPayload } from '@posthorn/contract/operational-events';
import type { PageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { listItems } from '../operation/list-rows.ts';

const EXAMPLE_TIMESTAMP = '2026-11-21T09:30:01.000Z';

/** Every operational event by its name, with the JSON Schema of its payload and an example. */
const OFFERED = Object.entries(OPERATIONAL_EVENTS)
  .sort(byName)
  .map(([name, { description, data, example }]) => ({
    name,
    description,
    schema: writeSchema(operationalPayload(name, data)),
    example: { type: name, timestamp: EXAMPLE_TIMESTAMP, data: example },
  }));

export function listOperationalEvents(ctx: WorkspaceContext, query: PageQuery) {
  return listItems(ctx, query, { name: ['operational events'], items: OFFERED, keyOf: ({ name }) => name });
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The schema allows other fields, which later versions may add. A `format` replaces a long pattern. */
function writeSchema(payload: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(payload, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.example;
    },
  });
}
