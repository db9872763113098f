import { Box, Text } from '@mantine/core';
import { durationWords } from '../../../components/time-words.ts';
import classes from './axis.module.css';

/** The lives of both secrets on a time axis. `atMs` is when the rotation was made, null for one that is to be made. */
export function SecretAxis({ atMs, graceSeconds }: { atMs: number | null; graceSeconds: number }) {
  const isAtOnce = graceSeconds === 0;
  const end = atMs === null ? `+ ${durationWords(graceSeconds * 1_000)}` : shortUtc(atMs + graceSeconds * 1_000);
  const words = isAtOnce
    ? 'The old secret ends at once; receivers that still have it refuse every request.'
    : atMs === null
      ? `Both secrets sign for ${durationWords(graceSeconds * 1_000)}.`
      : `Both secrets sign until ${end}.`;
  return (
    <Box role="img" aria-label={words} maw={520}>
      <Box className={classes.life}>
        <Text size="xs">old</Text>
        <Box className={classes.track}>
          <Box className={classes.old} style={{ width: isAtOnce ? '30%' : '70%' }} />
        </Box>
      </Box>
      <Box className={classes.life}>
        <Text size="xs">new</Text>
        <Box className={classes.track}>
          <Box className={classes.fresh} style={{ left: '30%', width: '70%' }} />
        </Box>
      </Box>
      <Box className={classes.marks}>
        <span style={{ left: '30%' }}>{atMs === null ? 'now' : 'rotated'}</span>
        {isAtOnce ? null : <span style={{ left: '70%' }}>{end}</span>}
      </Box>
      <Text size="xs" c="dimmed" mt="xs">
        {words}
      </Text>
    </Box>
  );
}

function shortUtc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
