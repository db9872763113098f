import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EnvironmentDiff } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { Setting } from '../settings/setting.tsx';
import { sourcesQuery } from '../sources/source-queries.ts';
import { fieldLines } from './endpoint-changes.tsx';
import type { Pair } from './promotion-queries.ts';

const WORDS = { create: 'Create', update: 'Update' } as const;

/** The sources that differ: their names, and what a record means. Brokers and topics are never part of it. */
export function SourceChanges({ changes, pair }: { changes: EnvironmentDiff['sources']; pair: Pair }) {
  const place = usePlace();
  const { data } = useQuery({ ...sourcesQuery({ ...place, environment: pair.from }), enabled: changes.length > 0 });
  if (changes.length === 0) return null;
  const nameOf = (id: string) => data?.sources.find((one) => one.id === id)?.name ?? id;
  return (
    <Setting title="Sources" sentence={`What would change in ${pair.to.name}. Brokers and topics are never taken.`}>
      <Stack gap="md">
        {changes.map(({ change, sourceId, fields }) => (
          <Stack key={sourceId} component="section" gap={4} aria-label={`Source ${nameOf(sourceId)}`}>
            <Group gap="sm" wrap="nowrap">
              <Badge variant="light" color="accent" tt="none" fw={500} miw={80} flex="none">
                {WORDS[change]}
              </Badge>
              <Text size="sm" miw={0} truncate="end">
                {nameOf(sourceId)}
              </Text>
            </Group>
            {fieldLines(change, fields).map((line) => (
              <Text key={line} size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
            ))}
            {change === 'create' ? (
              <Text size="sm">
                It is left out: it needs brokers and topics in {pair.to.name}. Give them with a promotion through the
                API.
              </Text>
            ) : null}
          </Stack>
        ))}
      </Stack>
    </Setting>
  );
}
