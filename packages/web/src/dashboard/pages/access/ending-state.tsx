import type { ReactNode } from 'react';
import { RelativeTime, useAsTimePasses } from '../../../components/relative-time.tsx';
import { endedBy, endOf } from './ended.ts';

const EVERY_MS = 10_000;
const WORDS = { expiry: 'Expired', rotation: 'Ended' };

type Ending = { expiresAt: string | null; revokedAt?: string | null };

/** Whether a key or a token works, and when it ends or has ended. `active` is the text for one without an end. */
export function EndingState({ of, active }: { of: Ending; active: string }) {
  const at = endOf(of);
  return at === null ? active : <State of={of} at={at} />;
}

/** Shows its content while the key or the token works; always for one without an end. */
export function UntilEnd({ of, children }: { of: Ending; children: ReactNode }) {
  const at = endOf(of);
  return at === null ? children : <Until of={of} at={at} content={children} />;
}

function Until({ of, at, content }: { of: Ending; at: string; content: ReactNode }) {
  return useEndedBy(of, at) === '' ? content : null;
}

function State({ of, at }: { of: Ending; at: string }) {
  const ended = useEndedBy(of, at);
  return (
    <span style={ended === '' ? {} : { color: 'var(--failed-ink)' }}>
      {ended === '' ? 'Ends' : WORDS[ended]} <RelativeTime at={at} />
    </span>
  );
}

function useEndedBy(of: Ending, at: string) {
  return useAsTimePasses(at, EVERY_MS, (_, nowMs) => endedBy(of, nowMs) ?? '');
}
