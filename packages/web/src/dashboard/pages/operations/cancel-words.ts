import type { Operation } from '../../../client/resources.ts';

const OF_DELIVERIES = 'It takes no more deliveries. The ones that it has enqueued are still attempted.';

const WORDS: Readonly<Record<Operation['type'], string>> = {
  recovery: OF_DELIVERIES,
  retry: OF_DELIVERIES,
  cancel: 'It cancels no more deliveries. The ones that it has cancelled stay cancelled.',
  search_index: 'It indexes no more events. The ones that it has indexed are found.',
  erasure: 'It erases nothing more. What it has erased stays erased.',
};

/** The effects of cancelling an operation (docs/interface/operations.md, Operation and Erasure). */
export function cancelWords({ type }: Pick<Operation, 'type'>): string {
  return WORDS[type];
}
