import { DOCTOR_CHECKS } from '@posthorn/destinations/examination';
import { z } from 'zod';
import { id, idReference, timestamp } from './primitives.ts';

/** The input of a test (docs/interface.md, Test). The bytes of `payload` are sent unchanged. */
export const testEndpointBody = z
  .object({
    eventTypeId: idReference.optional(),
    payload: z.unknown().optional(),
  })
  .meta({ id: 'TestEndpointBody' });

const doctorCheck = z.object({
  name: z.enum(DOCTOR_CHECKS),
  outcome: z.enum(['pass', 'warn', 'fail', 'skipped']),
  detail: z.string(),
  advice: z.string().nullable().meta({ description: 'What to change. Null if nothing needs to be changed.' }),
  durationMs: z.number(),
});
export type DoctorCheck = z.output<typeof doctorCheck>;

/** A dispatcher's answer, which the API passes on. */
export const doctorReport = z
  .object({
    endpointId: id('ep'),
    verdict: z.enum(['healthy', 'warning', 'broken']),
    checks: z.array(doctorCheck),
    startedAt: timestamp,
    durationMs: z.number(),
  })
  .meta({ id: 'DoctorReport', description: 'The result of examining an endpoint, check by check.' });
export type DoctorReport = z.output<typeof doctorReport>;
