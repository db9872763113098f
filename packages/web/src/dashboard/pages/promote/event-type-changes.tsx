import { Badge, Group, Stack, Text } from '@mantine/core';
import type { EnvironmentDiff } from '../../../client/resources.ts';
import { Setting } from '../settings/setting.tsx';
import type { Pair } from './promotion-queries.ts';

const WORDS = { publish: 'Publish', unpublish: 'Unpublish', schema_mode: 'Check' } as const;

/** The event types that are published in one of the two environments. */
export function EventTypeChanges({ changes, pair }: { changes: EnvironmentDiff['eventTypes']; pair: Pair }) {
  if (changes.length === 0) return null;
  return (
    <Setting title="Event types" sentence={`What would change in ${pair.to.name}.`}>
      <Stack gap="xs">
        {changes.map(({ eventTypeId, name, change, from, to }) => (
          <Group key={`${eventTypeId} ${change}`} gap="sm">
            <Badge
              variant="light"
              color={change === 'unpublish' ? 'red' : 'accent'}
              tt="none"
              fw={500}
              miw={80}
              flex="none"
            >
              {WORDS[change]}
            </Badge>
            <Text size="sm" className="mono" miw={0} truncate="end">
              {name}
            </Text>
            {change === 'schema_mode' ? <Text size="sm" c="dimmed">{`payloads: ${from} → ${to}`}</Text> : null}
          </Group>
        ))}
      </Stack>
    </Setting>
  );
}
