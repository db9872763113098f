import { Alert, List, Stack, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import type { Check } from './verify.ts';

const GLYPHS: Record<Check['outcome'], string> = { pass: '✓', fail: '✕', skipped: '–' };
const INKS: Record<Check['outcome'], string> = { pass: 'delivered', fail: 'failed', skipped: 'pending' };
const OUTCOMES: Record<Check['outcome'], string> = { pass: t('Passed'), fail: t('Failed'), skipped: t('Skipped') };

/** What the check found, step by step, and the verdict above it. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const isGenuine = checks.every(({ outcome }) => outcome === 'pass');
  return (
    <Stack gap="sm" component="section" aria-label={t('Result')}>
      <Alert
        color={isGenuine ? 'green' : 'red'}
        title={isGenuine ? t('The request is genuine.') : t('A receiver refuses this request.')}
      />
      <List spacing="sm" size="sm" listStyleType="none">
        {checks.map(({ name, outcome, said }) => (
          <List.Item
            key={name}
            icon={
              <span role="img" aria-label={OUTCOMES[outcome]} style={{ color: `var(--${INKS[outcome]}-ink)` }}>
                {GLYPHS[outcome]}
              </span>
            }
          >
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {said}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
