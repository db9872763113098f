import { OPERATIONAL_EVENTS, operationalPayload } from '@posthorn/contract/operational-events';
import { z } from 'zod';

const EXAMPLE_TIMESTAMP = '2026-11-21T09:30:01.000Z';

/** Every operational event, with the JSON Schema of its payload and an example. */
const OFFERED = Object.entries(OPERATIONAL_EVENTS).map(([name, { description, data, example }]) => ({
  name,
  description,
  schema: writeSchema(operationalPayload(name, data)),
  example: { type: name, timestamp: EXAMPLE_TIMESTAMP, data: example },
}));

export function listOperationalEvents() {
  return OFFERED;
}

/** Later versions may add fields: the schema allows them. A `format` says what a long pattern would repeat. */
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
