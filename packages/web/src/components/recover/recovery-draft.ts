import { type Range, startOf, utcOf } from '../time-range.ts';

/** The form's values: a range that ends now, or a custom range with both ends in UTC, in the format of the inputs. */
export type RecoveryDraft = {
  range: Range | 'own';
  from: string;
  to: string;
  mode: 'failed' | 'missed' | 'all';
  eventTypes: string[];
  statusClass: StatusClass[];
};

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'other' | 'none';

export type RecoveryBody = {
  since: string;
  until: string;
  mode: RecoveryDraft['mode'];
  eventTypes?: string[];
  statusClass?: StatusClass[];
};

export const FIRST_DRAFT: RecoveryDraft = {
  range: '24h',
  from: '',
  to: '',
  mode: 'failed',
  eventTypes: [],
  statusClass: [],
};

/**
 * The request for a draft; undefined while a custom range has no start, or an end that is not after the start. The
 * request always has an end, so that the recovery selects what the dry run counted.
 */
export function recoveryBody(draft: RecoveryDraft, nowMs: number): RecoveryBody | undefined {
  const span =
    draft.range === 'own' ? ownSpan(draft, nowMs) : { since: startOf(draft.range, nowMs), until: iso(nowMs) };
  if (span?.since === undefined || span.until === undefined || span.since >= span.until) return undefined;
  return {
    since: span.since,
    until: span.until,
    mode: draft.mode,
    ...(draft.eventTypes.length > 0 && { eventTypes: draft.eventTypes }),
    // A missed event has no last response to filter by.
    ...(draft.mode !== 'missed' && draft.statusClass.length > 0 && { statusClass: draft.statusClass }),
  };
}

function ownSpan({ from, to }: RecoveryDraft, nowMs: number) {
  return { since: utcOf(from), until: to === '' ? iso(nowMs) : utcOf(to) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
