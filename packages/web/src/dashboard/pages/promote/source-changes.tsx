import { Badge, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EnvironmentDiff } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { Setting } from '../settings/setting.tsx';
import { sourcesQuery } from '../sources/source-queries.ts';
import { fieldLines } from './endpoint-changes.tsx';
import { NO_PLACE, type TypedPlace } from './plan-words.ts';
import type { Pair } from './promotion-queries.ts';

const WORDS = { create: 'Create', update: 'Update' } as const;

type Props = {
  changes: EnvironmentDiff['sources'];
  pair: Pair;
  /** The typed values, by the id of the source environment's source. */
  places: Readonly<Record<string, TypedPlace>>;
  onPlace: (sourceId: string, typed: TypedPlace) => void;
};

/**
 * The sources that differ: their names, and how records become events. Each new source has fields for brokers and
 * topics.
 */
export function SourceChanges({ changes, pair, places, onPlace }: Props) {
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
              <PlaceFields
                to={pair.to.name}
                typed={places[sourceId] ?? NO_PLACE}
                onChange={(typed) => onPlace(sourceId, typed)}
              />
            ) : null}
          </Stack>
        ))}
      </Stack>
    </Setting>
  );
}

type PlaceFieldsProps = { to: string; typed: TypedPlace; onChange: (typed: TypedPlace) => void };

function PlaceFields({ to, typed, onChange }: PlaceFieldsProps) {
  return (
    <>
      <Textarea
        label={`Brokers in ${to}`}
        description="One in each line. It is created only with brokers and topics."
        placeholder="kafka.example.com:9093"
        autosize
        maw={560}
        value={typed.brokers}
        onChange={({ currentTarget }) => onChange({ ...typed, brokers: currentTarget.value })}
      />
      <Textarea
        label={`Topics in ${to}`}
        description="It does not read yet: give it its credentials on the page of sources, and let it read on."
        placeholder="orders"
        autosize
        maw={560}
        value={typed.topics}
        onChange={({ currentTarget }) => onChange({ ...typed, topics: currentTarget.value })}
      />
    </>
  );
}
