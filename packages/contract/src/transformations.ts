import { z } from 'zod';
import { transformationCode } from './endpoint-config.ts';
import { idReference } from './primitives.ts';

/** The input of a test of a transformation (docs/interface.md, Transformations). Nothing is sent or stored. */
export const testTransformationBody = z
  .object({
    language: z.enum(['javascript'], 'must be javascript'),
    code: transformationCode,
    payload: z.unknown().optional().meta({
      description:
        'The payload of the event: as it is written here, else the example of the event type, else a payload of the service.',
    }),
    eventTypeId: idReference.optional(),
    endpointId: idReference.optional().meta({
      description: 'The endpoint that the code learns about. It also decides whether headers and a path may be set.',
    }),
  })
  .meta({ id: 'TestTransformationBody' });

const fault = z.object({
  message: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});

export const testTransformationAnswer = z
  .object({
    result: z.enum(['sent', 'cancelled', 'failed']),
    body: z.string().nullable().meta({ description: 'The text that would be sent; null unless `result` is `sent`.' }),
    contentType: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    path: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'Why the code cancelled the event.' }),
    logs: z.array(z.string()).meta({ description: 'The first 50 lines of `console.log`.' }),
    error: fault.nullable(),
    durationMs: z.number().meta({ description: 'The computing that it took.' }),
  })
  .meta({ id: 'TransformationResult', description: 'What a transformation makes of an event.' });
