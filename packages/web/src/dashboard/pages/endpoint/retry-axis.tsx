import { Box, Text, Tooltip } from '@mantine/core';
import { durationWords } from '../../../components/time-words.ts';
import classes from './axis.module.css';
import { axisTicks, retryPoints } from './retry-schedule.ts';

/** The first attempt and its retries on a logarithmic time axis. */
export function RetryAxis({ seconds }: { seconds: readonly number[] }) {
  if (seconds.length === 0) return <Text size="sm">There is no retry: the first attempt is the only one.</Text>;
  const points = retryPoints(seconds);
  const total = points.at(-1)?.afterSeconds ?? 0;
  const words = `${seconds.length} ${seconds.length === 1 ? 'retry' : 'retries'}, the last one ${durationWords(total * 1_000)} after the first attempt.`;
  return (
    <Box>
      <Box className={classes.axis} role="img" aria-label={words}>
        <Box className={classes.line} />
        {axisTicks(total).map(({ seconds: at, share }) => (
          <span key={at} className={classes.tick} style={{ left: percent(share) }}>
            {durationWords(at * 1_000)}
          </span>
        ))}
        {points.map(({ number, stepSeconds, afterSeconds, share }) => (
          <Tooltip key={number} label={pointWords(number, stepSeconds, afterSeconds)}>
            <Box className={classes.point} data-first={number === 0 || undefined} style={{ left: percent(share) }} />
          </Tooltip>
        ))}
      </Box>
      <Text size="sm" role="status">
        {words}
      </Text>
    </Box>
  );
}

function pointWords(number: number, stepSeconds: number, afterSeconds: number): string {
  if (number === 0) return 'The first attempt';
  const step = durationWords(stepSeconds * 1_000);
  return `Retry ${number}: ${step} after the attempt before it, ${durationWords(afterSeconds * 1_000)} after the first`;
}

function percent(share: number): string {
  return `${share * 100}%`;
}
