import { DELIVERY_STATUSES } from '@posthorn/contract/deliveries';
import type { OperationScope } from '@posthorn/ledger/operation-scope';
import { z } from 'zod';

const scope = z.object({
  workspaceId: z.uuid(),
  environmentId: z.uuid().optional(),
  applicationId: z.uuid().optional(),
  eventTypes: z.array(z.string()).optional(),
  statuses: z.array(z.enum(DELIVERY_STATUSES)),
  responseClasses: z.array(z.string()).optional(),
  missed: z.boolean(),
  after: z.string(),
  end: z.string(),
  isWhole: z.boolean().optional(),
});

/** Parses the scope in an operation's row, as the API stored it. */
export function parseScope(stored: unknown): OperationScope {
  return scope.parse(stored);
}

export type Phase =
  | 'count_deliveries'
  | 'count_events'
  | 'deliveries'
  | 'events'
  | 'operational_events'
  | 'audit_log'
  | 'search_index'
  | 'done';

const ORDER: readonly Phase[] = ['count_deliveries', 'count_events', 'deliveries', 'events'];

/** The phase after this one. First everything is counted, then everything is enqueued. */
export function phaseAfter(phase: Phase, { statuses, missed }: Pick<OperationScope, 'statuses' | 'missed'>): Phase {
  const walked = ORDER.filter((one) => (one.endsWith('events') ? missed : statuses.length > 0));
  return walked[walked.indexOf(phase) + 1] ?? 'done';
}
