import { Group, Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment, EventType } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { visibilityQuery } from './event-type-queries.ts';
import { usePublish } from './use-publish.tsx';

/**
 * Whether the type is published in the environment, and how many of its endpoints subscribe to it. It shows the new state at
 * once, and goes back if the change fails.
 */
export function PublishSwitch({ eventType, environment }: { eventType: EventType; environment: Environment }) {
  const place = usePlace();
  const publish = usePublish();
  const { data: entries } = useQuery(visibilityQuery(place.workspace.id, environment.id));
  const { published = false, endpoints = 0 } = entries?.find(({ eventTypeId }) => eventTypeId === eventType.id) ?? {};
  if (entries === undefined) return <Skeleton width={32} height={16} radius="xl" />;
  return (
    <Group gap="sm" wrap="nowrap">
      <Switch
        size="xs"
        aria-label={`Publish ${eventType.name} in ${environment.name}`}
        checked={published}
        disabled={!mayChange(place)}
        onChange={({ currentTarget }) => publish({ eventType, environment, published: currentTarget.checked })}
      />
      <Text span size="xs" c="dimmed" title={`Subscribed endpoints in ${environment.name}`}>
        {endpoints === 1 ? '1 endpoint' : `${endpoints.toLocaleString('en')} endpoints`}
      </Text>
    </Group>
  );
}
