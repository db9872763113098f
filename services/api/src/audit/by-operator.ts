import { newUuid } from '@posthorn/contract/ids';
import type { Clock } from '@posthorn/runtime/clock';

/** The actor and origin of a change that `posthorn-admin` makes. */
export function byOperator(clock: Clock) {
  const actor = { type: 'system', id: 'posthorn-admin', label: 'posthorn-admin' } as const;
  return { actor, origin: { ip: null, userAgent: null, requestId: newUuid(clock.now()) }, clock };
}
