import { Stack, Switch, Text } from '@mantine/core';
import type { Endpoint } from '../client/resources.ts';
import { rich, t } from '../language/language.ts';

type Patterns = Endpoint['eventTypePatterns'];

const EVERYTHING = '*';

/** The page's word for events: the dashboard says events, the portal says messages. */
type Noun = 'events' | 'messages';

type Props = { patterns: Patterns; noun: Noun; isDisabled: boolean; onChange: (patterns: Patterns) => void };

/**
 * A switch that subscribes an endpoint to every type, including later ones. It also names the endpoint's other
 * patterns.
 */
export function AllEvents({ patterns, noun, isDisabled, onChange }: Props) {
  const others = patterns.filter(({ pattern }) => pattern !== EVERYTHING);
  return (
    <Stack gap={4}>
      <Switch
        size="sm"
        label={t(`All ${noun}`)}
        description={t('Of every type, including types that are added later.')}
        checked={others.length < patterns.length}
        disabled={isDisabled}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? [...others, { pattern: EVERYTHING, filter: null }] : others)
        }
      />
      {others.length === 0 ? null : (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {rich('Also of every type that fits {patterns}.', {
            patterns: <span className="mono">{others.map(({ pattern }) => pattern).join(', ')}</span>,
          })}
        </Text>
      )}
    </Stack>
  );
}
