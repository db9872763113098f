import type { Operation } from '../../client/resources.ts';

export const TYPE_WORDS: Readonly<Record<Operation['type'], string>> = {
  recovery: 'Recovery',
  retry: 'Bulk retry',
  cancel: 'Bulk cancel',
  erasure: 'Erasure',
};

export const OPERATION_STATUS_WORDS: Readonly<Record<Operation['status'], string>> = {
  counting: 'Counting',
  running: 'Running',
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

export function isOperationStatus(value: unknown): value is Operation['status'] {
  return typeof value === 'string' && Object.hasOwn(OPERATION_STATUS_WORDS, value);
}

/** Whether an operation may still change deliveries. */
export function isOpen({ status }: Pick<Operation, 'status'>): boolean {
  return status === 'counting' || status === 'running';
}

type Progress = Pick<Operation, 'type' | 'status' | 'matched' | 'enqueued' | 'delivered' | 'failed'>;

/** What becomes of the matches of an operation that does not deliver them; undefined where it does. */
const DONE_WORDS: Partial<Record<Operation['type'], string>> = { cancel: 'cancelled', erasure: 'erased' };

/** How far an operation is, as a share from 0 to 1: the matches that have ended, were cancelled or were erased. */
export function progressOf({ type, status, matched, enqueued, delivered, failed }: Progress): number {
  if (status === 'completed') return 1;
  if (matched === null || matched === 0) return 0;
  return Math.min(1, (type in DONE_WORDS ? enqueued : delivered + failed) / matched);
}

/** What an operation has done in one sentence. */
export function progressWords(operation: Operation): string {
  const { type, matched, enqueued, delivered, failed } = operation;
  if (matched === null) return 'Counting the matches …';
  const done = `${count(enqueued)} of ${count(matched)} ${DONE_WORDS[type] ?? 'enqueued'}`;
  if (type in DONE_WORDS) return `${done}.`;
  return `${done}, ${count(delivered)} delivered, ${count(failed)} failed.`;
}

/** What an open operation does now or waits for, in a few words: `Recovery: waiting for 7 deliveries`. */
export function activityWords({ type, status, matched, enqueued, delivered, failed }: Progress): string {
  const name = TYPE_WORDS[type];
  if (status === 'counting' || matched === null) return `${name}: counting`;
  if (enqueued < matched) {
    const share = `${Math.floor((enqueued / matched) * 100)}%`;
    return `${name}: ${share} ${DONE_WORDS[type] ?? 'enqueued'}`;
  }
  if (type in DONE_WORDS) return `${name}: ending`;
  return `${name}: waiting for ${countWords(Math.max(0, matched - delivered - failed), 'delivery')}`;
}

/** What the reader calls a delivery. */
export type Noun = 'delivery' | 'message';

/** A number of them: `1 delivery`, `1,204 messages`. */
export function countWords(amount: number, noun: Noun): string {
  return `${count(amount)} ${amount === 1 ? noun : pluralOf(noun)}`;
}

export function pluralOf(noun: Noun): string {
  return noun === 'delivery' ? 'deliveries' : 'messages';
}

function count(amount: number): string {
  return amount.toLocaleString('en');
}
