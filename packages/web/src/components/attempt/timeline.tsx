import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import type { Attempt, DeliveryDetail, DeliveryStatus } from '../../client/resources.ts';
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

/** From acceptance over each attempt to the next one; an attempt is chosen by a click. */
export function Timeline({ delivery, attempts, chosen, onChoose }: Props) {
  const steps = timelineSteps(delivery, attempts);
  return (
    <ScrollArea type="auto" className={classes.box}>
      <Group component="ol" gap={0} wrap="nowrap" align="flex-start" className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.key} className={classes.step}>
            {index === 0 ? null : <Gap step={step} />}
            <StepButton step={step} status={statusOf(step)} isChosen={step.key === chosen} onChoose={onChoose} />
          </li>
        ))}
      </Group>
    </ScrollArea>
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
        <Text size="xs">{step.kind === 'next' ? 'Next' : 'Accepted'}</Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={step.at} everyMs={1_000} />
        </Text>
      </span>
    );
  }
  const result = attempt.responseStatus ?? attempt.errorCode ?? '–';
  return (
    <UnstyledButton className={classes.point} data-chosen={isChosen || undefined} onClick={() => onChoose(attempt.id)}>
      {glyph}
      <Text size="xs">
        {attempt.number}. {attempt.trigger === 'schedule' ? '' : `${attempt.trigger} `}
        <span className="mono">{result}</span>
      </Text>
      <Text size="xs" c="dimmed">
        {durationWords(attempt.durationMs)}
      </Text>
    </UnstyledButton>
  );
}

function statusOf({ kind, attempt }: Step): DeliveryStatus {
  if (attempt !== null) return attempt.outcome === 'success' ? 'delivered' : 'failed';
  return kind === 'next' ? 'scheduled_retry' : 'pending';
}
