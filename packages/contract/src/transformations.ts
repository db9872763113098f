import { z } from 'zod';
import { transformationCode } from './endpoint-config.ts';
import { idReference } from './primitives.ts';

/** The input of a transformation test (docs/interface.md, Transformations). Nothing is sent or stored. */
export const testTransformationBody = z
  .object({
    language: z.enum(['javascript'], 'must be javascript'),
    code: transformationCode,
    payload: z.unknown().optional().meta({
      description:
        'The payload of the event, used as it is written here. Defaults to the example of the event type, or a default payload.',
    }),
    eventTypeId: idReference.optional(),
    endpointId: idReference.optional().meta({
      description: 'The endpoint that the code receives. It also determines whether headers and a path may be set.',
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
    body: z.string().nullable().meta({ description: 'The body that would be sent. Null unless `result` is `sent`.' }),
    contentType: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    path: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'The reason that the code gave for cancelling the event.' }),
    logs: z.array(z.string()).meta({ description: 'The first 50 lines that the code logged with `console.log`.' }),
    error: fault.nullable(),
    durationMs: z.number().meta({ description: 'The computing time, in milliseconds.' }),
  })
  .meta({ id: 'TransformationResult', description: 'The result of transforming an event.' });
