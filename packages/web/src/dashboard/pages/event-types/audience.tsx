import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { customerQuery } from '../customers/customer-queries.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { visibilityQuery } from './event-type-queries.ts';
import { useVisibilityChange } from './schema-queries.ts';

/** The customers whose portals show a type in this environment. */
export function Audience({ eventType }: { eventType: EventType }) {
  const place = usePlace();
  const { workspace, environment } = place;
  const change = useVisibilityChange(eventType.id);
  const { choices } = useCustomerChoices(undefined);
  const { data: entry } = useQuery({
    ...visibilityQuery(workspace.id, environment.id),
    select: (entries) => entries.find(({ eventTypeId }) => eventTypeId === eventType.id),
  });
  const applications = entry?.applications ?? null;
  const isFixed = entry === undefined || change.isPending || !mayChange(place);
  const show = (to: string[] | null) =>
    entry && change.mutate({ environmentId: environment.id, published: entry.published, applications: to });
  return (
    <Stack gap="xs">
      <SearchSelect
        label={`Shown in portals of ${environment.name}`}
        description="A customer who is left out can neither see the type nor subscribe to it. Subscriptions that a pattern made end, the others stay."
        placeholder={applications === null ? 'All customers' : 'Add a customer'}
        size="sm"
        disabled={isFixed}
        choices={choices}
        value={null}
        onChange={(id) => id !== null && show([...(applications ?? []).filter((one) => one !== id), id])}
      />
      {applications === null ? null : (
        <>
          {applications.length === 0 ? <Text size="sm">No customer sees it.</Text> : null}
          {applications.map((id) => (
            <Group key={id} justify="space-between">
              <CustomerName id={id} />
              <Button
                variant="subtle"
                size="compact-sm"
                disabled={isFixed}
                onClick={() => show(applications.filter((one) => one !== id))}
              >
                Leave out
              </Button>
            </Group>
          ))}
          <Group>
            <Button variant="default" size="compact-sm" disabled={isFixed} onClick={() => show(null)}>
              Show to all customers
            </Button>
          </Group>
        </>
      )}
      {change.error ? <ErrorNotice title="Not changed" error={change.error} /> : null}
    </Stack>
  );
}

function CustomerName({ id }: { id: string }) {
  const { workspace } = usePlace();
  const { data } = useQuery(customerQuery(workspace.id, id));
  return <Text size="sm">{data?.name ?? id}</Text>;
}
