import type { Operation } from '../../client/resources.ts';
import { counted, t } from '../../language/language.ts';
import { oneOf } from '../one-of.ts';

export const TYPE_WORDS: Readonly<Record<Operation['type'], string>> = {
  recovery: t('Recovery'),
  retry: t('Bulk retry'),
  cancel: t('Bulk cancel'),
  erasure: t('Erasure'),
  search_index: t('Indexing'),
};

export const OPERATION_STATUS_WORDS: Readonly<Record<Operation['status'], string>> = {
  counting: t('Counting'),
  running: t('Running'),
  completed: t('Completed'),
  cancelled: t('Cancelled'),
  failed: t('Failed'),
};

export const isOperationStatus = oneOf(OPERATION_STATUS_WORDS);

/** The status of an operation; "Paused" if it is paused. */
export function statusWords({ status, pausedAt }: Pick<Operation, 'status' | 'pausedAt'>): string {
  return pausedAt === null ? OPERATION_STATUS_WORDS[status] : t('Paused');
}

/** Whether an operation may still change deliveries. */
export function isOpen({ status }: Pick<Operation, 'status'>): boolean {
  return status === 'counting' || status === 'running';
}

type Progress = Pick<Operation, 'type' | 'status' | 'pausedAt' | 'matched' | 'enqueued' | 'delivered' | 'failed'>;

/** The words for finished matches of operations that deliver nothing; undefined for operations that deliver. */
const DONE_WORDS: Partial<Record<Operation['type'], 'cancelled' | 'erased' | 'indexed'>> = {
  cancel: 'cancelled',
  erasure: 'erased',
  search_index: 'indexed',
};

/**
 * The progress of an operation as a share from 0 to 1, counted in matches that have ended, were cancelled or were
 * erased.
 */
export function progressOf({ type, status, matched, enqueued, delivered, failed }: Progress): number {
  if (status === 'completed') return 1;
  if (matched === null || matched === 0) return 0;
  return Math.min(1, (type in DONE_WORDS ? enqueued : delivered + failed) / matched);
}

/** The result of an operation so far, in one sentence. */
export function progressWords(operation: Operation): string {
  const { type, matched, enqueued, delivered, failed } = operation;
  if (matched === null) return t('Counting the matches …');
  const counts = { enqueued, matched };
  if (type === 'cancel') return t('{enqueued} of {matched} cancelled.', counts);
  if (type === 'erasure') return t('{enqueued} of {matched} erased.', counts);
  if (type === 'search_index') return t('{enqueued} events indexed.', { enqueued });
  return t('{enqueued} of {matched} enqueued, {delivered} delivered, {failed} failed.', {
    ...counts,
    delivered,
    failed,
  });
}

/** The current activity of an open operation, in a few words: `Recovery: waiting for 7 deliveries`. */
export function activityWords({ type, status, pausedAt, matched, enqueued, delivered, failed }: Progress): string {
  const name = TYPE_WORDS[type];
  if (pausedAt !== null) return t('{name}: paused', { name });
  if (status === 'counting' || matched === null) return t('{name}: counting', { name });
  if (enqueued < matched) {
    const share = `${Math.floor((enqueued / matched) * 100)}%`;
    return t(`{name}: {share} ${DONE_WORDS[type] ?? 'enqueued'}`, { name, share });
  }
  if (type in DONE_WORDS) return t('{name}: ending', { name });
  const rest = Math.max(0, matched - delivered - failed);
  return t('{name}: waiting for {deliveries}', { name, deliveries: countWords(rest, 'delivery') });
}

/** The reader's word for a delivery. */
export type Noun = 'delivery' | 'message';

/** A number with the word: `1 delivery`, `1,204 messages`. */
export function countWords(amount: number, noun: Noun): string {
  return noun === 'delivery'
    ? counted(amount, '{count} delivery', '{count} deliveries')
    : counted(amount, '{count} message', '{count} messages');
}

export function pluralOf(noun: Noun): 'deliveries' | 'messages' {
  return noun === 'delivery' ? 'deliveries' : 'messages';
}
