import type { Producer } from '@posthorn/queue/producer';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { createEnqueue } from '../deliver/enqueue.ts';
import type { Watch } from '../watch.ts';
import { createOperations, type OperationsDeps } from './run-operations.ts';

const WAIT_AFTER_ERROR_MS = 1_000;

export type StartOperationsDeps = Omit<OperationsDeps, 'producer' | 'enqueue'> & {
  producer: Pick<Producer, 'depths' | 'enqueueDeliveries'>;
  watch: Watch;
  lifecycle: Pick<Lifecycle, 'onStop'>;
};

/** Starts the rounds that move operations on. */
export function startOperations({ watch, lifecycle, ...deps }: StartOperationsDeps): void {
  const rounds = watch.repeat('operations', {
    round: createOperations({ ...deps, enqueue: createEnqueue(deps.producer, deps.logger) }),
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => deps.logger.warn('a round of operations failed', errorFields(error)),
  });
  lifecycle.onStop('operations', () => rounds.stop());
}
