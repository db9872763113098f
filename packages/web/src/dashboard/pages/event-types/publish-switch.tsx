import { Skeleton, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment, EventType } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { visibilityQuery } from './event-type-queries.ts';
import { usePublish } from './use-publish.tsx';

/** Whether the type is published in the environment. It shows the new state at once, and goes back if that fails. */
export function PublishSwitch({ eventType, environment }: { eventType: EventType; environment: Environment }) {
  const place = usePlace();
  const publish = usePublish();
  const { data: published } = useQuery({
    ...visibilityQuery(place.workspace.id, environment.id),
    select: (entries) => entries.find(({ eventTypeId }) => eventTypeId === eventType.id)?.published ?? false,
  });
  if (published === undefined) return <Skeleton width={32} height={16} radius="xl" />;
  return (
    <Switch
      size="xs"
      aria-label={`Publish ${eventType.name} in ${environment.name}`}
      checked={published}
      disabled={!mayChange(place)}
      onChange={({ currentTarget }) => publish({ eventType, environment, published: currentTarget.checked })}
    />
  );
}
