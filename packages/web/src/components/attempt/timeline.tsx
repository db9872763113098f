import { Text, UnstyledButton } from '@mantine/core';
import type { Attempt, DeliveryDetail, DeliveryStatus } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { RelativeTime } from '../relative-time.tsx';
import { StatusGlyph } from '../status-glyph.tsx';
import { durationWords } from '../time-words.ts';
import classes from './timeline.module.css';
import { type Step, timelineSteps } from './timeline-steps.ts';

type Props = {
  delivery: DeliveryDetail;
  attempts: readonly Attempt[];
  chosen: string | undefined;
  onChoose: (attemptId: string) => void;
};

/** The timeline from acceptance over each attempt to the next one. A click selects an attempt. */
export function Timeline({ delivery, attempts, chosen, onChoose }: Props) {
  const steps = timelineSteps(delivery, attempts);
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <li key={step.key} className={classes.step}>
          {index === 0 ? null : <Gap step={step} />}
          <StepButton step={step} status={statusOf(step)} isChosen={step.key === chosen} onChoose={onChoose} />
        </li>
      ))}
    </ol>
  );
}

function Gap({ step }: { step: Step }) {
  return (
    <span className={classes.gap} data-next={step.kind === 'next' || undefined} style={{ width: step.lengthPx }}>
      {durationWords(step.gapMs)}
    </span>
  );
}

type StepProps = { step: Step; status: DeliveryStatus; isChosen: boolean; onChoose: (attemptId: string) => void };

function StepButton({ step, status, isChosen, onChoose }: StepProps) {
  const { attempt } = step;
  const glyph = <StatusGlyph status={status} size={16} />;
  if (attempt === null) {
    return (
      <span className={classes.point}>
        {glyph}
        <Text size="xs">{step.kind === 'next' ? t('Next') : t('Accepted')}</Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={step.at} everyMs={1_000} />
        </Text>
      </span>
    );
  }
  return (
    <UnstyledButton
      className={classes.point}
      data-chosen={isChosen || undefined}
      aria-pressed={isChosen}
      onClick={() => onChoose(attempt.id)}
    >
      {glyph}
      <Text size="xs">
        {attempt.number}. {TRIGGER_WORDS[attempt.trigger]}
        <Result attempt={attempt} />
      </Text>
      <Text size="xs" c="dimmed">
        {durationWords(attempt.durationMs)}
      </Text>
    </UnstyledButton>
  );
}

const TRIGGER_WORDS: Record<Attempt['trigger'], string> = {
  schedule: '',
  manual: t('manual '),
  test: t('test '),
  recovery: t('recovery '),
};

/** Short words for a failure without a response. The verdict of the selected attempt explains it in full. */
const FAILURE_WORDS: Record<NonNullable<Attempt['errorCode']>, string> = {
  timeout: t('timeout'),
  dns_failure: 'DNS',
  connection_refused: t('refused'),
  connection_reset: t('reset'),
  tls_error: 'TLS',
  blocked_address: t('blocked'),
  http_status: t('status'),
  too_large: t('too large'),
  protocol_error: t('no HTTP'),
  internal: t('internal'),
  proxy_error: t('proxy'),
  oauth2_failed: t('no token'),
  nacked: t('given back'),
  lease_expired: t('lease ended'),
  authentication_failed: t('login'),
  access_denied: t('denied'),
  target_not_found: t('not found'),
  unroutable: t('no route'),
  invalid_target: t('target'),
  invalid_payload: t('payload'),
  target_exists: t('exists'),
  message_too_large: t('too large'),
  throttled: t('throttled'),
  broker_error: t('broker'),
  transformation_failed: t('code failed'),
};

function Result({ attempt: { responseStatus, errorCode } }: { attempt: Attempt }) {
  if (responseStatus !== null) return <span className="mono">{responseStatus}</span>;
  if (errorCode === null) return '–';
  return <span title={errorCode}>{FAILURE_WORDS[errorCode]}</span>;
}

function statusOf({ kind, attempt }: Step): DeliveryStatus {
  if (attempt !== null) return attempt.outcome === 'success' ? 'delivered' : 'failed';
  return kind === 'next' ? 'scheduled_retry' : 'pending';
}
