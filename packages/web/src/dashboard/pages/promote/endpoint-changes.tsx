import { Badge, Box, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint, PromotedEndpoint, Subscription } from '../../../client/resources.ts';
import { addressOf } from '../../../components/destination/address-of.ts';
import { filterWords } from '../../../components/filter/clause-words.ts';
import { Id } from '../../../components/id.tsx';
import { isGivenByService } from '../../given-by-service.ts';
import { usePlace } from '../../place.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';
import { Setting } from '../settings/setting.tsx';
import { endpointsById, type Pair } from './promotion-queries.ts';

type Props = {
  changes: readonly PromotedEndpoint[];
  pair: Pair;
  /** The endpoints of the source environment, by id. */
  known: ReadonlyMap<string, Endpoint>;
  /** The ids of endpoints that have a destination. */
  withDestination: ReadonlySet<string>;
  /** The typed URLs, by the id of the source environment's endpoint. */
  urls: Readonly<Record<string, string>>;
  onUrl: (endpointId: string, url: string) => void;
};

const WORDS = { create: 'Create', update: 'Update', delete: 'Delete' } as const;

/** The endpoints that differ: their fields and subscriptions, and a URL field for each new endpoint. */
export function EndpointChanges({ changes, pair, known, withDestination, urls, onUrl }: Props) {
  const place = usePlace();
  const { data: there } = useQuery({ ...endpointsQuery({ ...place, environment: pair.to }), select: endpointsById });
  if (changes.length === 0) return null;
  const nameOf = ({ endpointId, targetEndpointId }: PromotedEndpoint) => {
    const endpoint = known.get(endpointId) ?? there?.get(targetEndpointId ?? '');
    return endpoint === undefined ? (targetEndpointId ?? endpointId) : addressOf(endpoint);
  };
  return (
    <Setting
      title="Endpoints"
      sentence={`What would change in ${pair.to.name}. Customers' endpoints are never part of it.`}
    >
      <Stack gap="md">
        {changes.map((change) => (
          <Stack key={change.endpointId} component="section" gap={4} aria-label={`Endpoint ${change.endpointId}`}>
            <Group gap="sm" wrap="nowrap">
              <Badge
                variant="light"
                color={change.change === 'delete' ? 'red' : 'accent'}
                tt="none"
                fw={500}
                miw={80}
                flex="none"
              >
                {WORDS[change.change]}
              </Badge>
              <Box miw={0}>
                <Id value={nameOf(change)} />
              </Box>
            </Group>
            <Details change={change} />
            {change.change === 'create' && withDestination.has(change.endpointId) ? (
              <Text size="sm">
                It is left out: it needs a destination in {pair.to.name}. Give it with a promotion through the API.
              </Text>
            ) : null}
            {change.change === 'create' && !isGivenByService(known.get(change.endpointId)?.url) ? (
              <TextInput
                label={`URL in ${pair.to.name}`}
                description="It is created only with a URL."
                placeholder="https://"
                maw={560}
                value={urls[change.endpointId] ?? ''}
                onChange={({ currentTarget }) => onUrl(change.endpointId, currentTarget.value)}
              />
            ) : null}
          </Stack>
        ))}
      </Stack>
    </Setting>
  );
}

function Details({ change: { change, fields, subscriptions } }: { change: PromotedEndpoint }) {
  if (change === 'delete') return null;
  const lines = [
    ...fieldLines(change, fields),
    ...subscriptions.add.map(
      ({ eventTypeName, filter }) =>
        `subscribe to ${eventTypeName}${filter === null ? '' : ` when ${filterWords(filter)}`}`,
    ),
    ...subscriptions.remove.map(({ eventTypeName }) => `unsubscribe from ${eventTypeName}`),
    ...subscriptions.change.map(
      ({ eventTypeName, from, to }) => `filter of ${eventTypeName}: ${filterText(from)} → ${filterText(to)}`,
    ),
  ];
  return lines.map((line) => (
    <Text key={line} size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
}

/** The fields that change or are set. */
export function fieldLines(change: 'create' | 'update', fields: PromotedEndpoint['fields']): string[] {
  return Object.entries(fields)
    .filter(([, { to }]) => change === 'update' || !isBlank(to))
    .map(([name, { from, to }]) => `${name}: ${change === 'update' ? `${shown(from)} → ` : ''}${shown(to)}`);
}

function filterText(filter: Subscription['filter']): string {
  return filter === null ? 'none' : filterWords(filter);
}

function isBlank(value: unknown): boolean {
  return ['""', '{}'].includes(JSON.stringify(value));
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}
