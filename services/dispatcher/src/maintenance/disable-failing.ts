import { newUuid, toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { findFailingEndpoints } from '@posthorn/ledger/failing-endpoints';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * Deactivates the endpoints that have only failed for 5 days, and returns their public ids. Every dispatcher runs it
 * about once an hour. Once it is stopped, it deactivates no further one.
 */
export async function disableFailing(db: Db, clock: Pick<Clock, 'now'>, stopped?: AbortSignal): Promise<string[]> {
  const disabled: string[] = [];
  for (const failing of await findFailingEndpoints(db)) {
    if (stopped?.aborted) break;
    const publicId = toId('ep', failing.endpointId);
    const auditEntryId = newUuid(clock.now());
    if (await disableEndpoint(db, { ...failing, reason: 'failing', auditEntryId, publicId })) {
      disabled.push(publicId);
    }
  }
  return disabled;
}
