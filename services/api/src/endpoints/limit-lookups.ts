import type { ResolveName } from '@posthorn/egress/resolve-name';
import { createTurns } from '@posthorn/runtime/turns';

type LimitOptions = {
  /** The most look-ups that run at once. */
  atOnce: number;
  /** A look-up that has waited for this long is not made: it fails as `ETIMEOUT`. */
  longestWaitMs: number;
};

/**
 * Limits the look-ups that run at once; the others wait in order. Each look-up has sockets and memory of its own, and a
 * hostile name server keeps it for all of its budget.
 */
export function limitLookups(resolveName: ResolveName, options: LimitOptions): ResolveName {
  const refusal = () => Object.assign(new Error('too many names are looked up at once'), { code: 'ETIMEOUT' });
  const turns = createTurns({ ...options, refusal });
  return (hostname) => turns.run(() => resolveName(hostname));
}
