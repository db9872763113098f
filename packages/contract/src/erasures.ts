import { z } from 'zod';
import { eventTypeName } from './event-types.ts';
import { dryRunFlag, someOf } from './operations.ts';
import { idReference, offsetDateTime } from './primitives.ts';

/** Without `eventTypes`, `from` and `to`, the customer itself is erased. */
export const erasureBody = z.object({
  applicationId: idReference,
  eventTypes: someOf(eventTypeName).optional(),
  from: offsetDateTime.optional(),
  to: offsetDateTime.optional(),
  dryRun: dryRunFlag,
});
