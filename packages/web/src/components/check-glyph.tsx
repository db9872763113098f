import { t } from '../language/language.ts';

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8, strokeLinecap: 'round' } as const;

const OUTCOMES = {
  pass: { ink: 'delivered', words: t('Passed'), shape: <path d="M2.5 7.5l3 3 6-7" {...line} /> },
  warn: { ink: 'scheduled_retry', words: t('Warning'), shape: <path d="M7 1.5l6 11H1z" fill="currentColor" /> },
  fail: { ink: 'failed', words: t('Failed'), shape: <path d="M3 3l8 8M11 3l-8 8" {...line} /> },
  skipped: { ink: 'pending', words: t('Skipped'), shape: <path d="M3 7h8" {...line} /> },
};

/** The outcome of a check, by shape and colour. */
export function CheckGlyph({ outcome }: { outcome: keyof typeof OUTCOMES }) {
  const { ink, words, shape } = OUTCOMES[outcome];
  return (
    <svg
      role="img"
      aria-label={words}
      width={14}
      height={14}
      viewBox="0 0 14 14"
      style={{ color: `var(--${ink}-ink)` }}
    >
      {shape}
    </svg>
  );
}
