import { Box, Text } from '@mantine/core';
import { t } from '../language/language.ts';
import classes from './secret-axis.module.css';
import { durationWords, minuteWords } from './time-words.ts';

/**
 * The lifetimes of both secrets on a time axis. `atMs` is the time of the rotation; null for one that is still planned.
 */
export function SecretAxis({ atMs, graceSeconds }: { atMs: number | null; graceSeconds: number }) {
  const isAtOnce = graceSeconds === 0;
  const duration = durationWords(graceSeconds * 1_000);
  const end = atMs === null ? `+ ${duration}` : `${minuteWords(iso(atMs + graceSeconds * 1_000))} UTC`;
  const words = isAtOnce
    ? t('The old secret ends at once; receivers that still have it refuse every request.')
    : atMs === null
      ? t('Both secrets sign for {duration}.', { duration })
      : t('Both secrets sign until {end}.', { end });
  return (
    <Box maw={520}>
      <Box aria-hidden>
        <Box className={classes.life}>
          <Text size="xs">{t('old')}</Text>
          <Box className={classes.track}>
            <Box className={classes.old} style={{ width: isAtOnce ? '30%' : '70%' }} />
          </Box>
        </Box>
        <Box className={classes.life}>
          <Text size="xs">{t('new')}</Text>
          <Box className={classes.track}>
            <Box className={classes.fresh} style={{ left: '30%', width: '70%' }} />
          </Box>
        </Box>
        <Box className={classes.marks}>
          <span style={{ left: '30%' }}>{atMs === null ? t('now') : t('rotated')}</span>
          {isAtOnce ? null : <span style={{ left: '70%' }}>{end}</span>}
        </Box>
      </Box>
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {words}
      </Text>
    </Box>
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
