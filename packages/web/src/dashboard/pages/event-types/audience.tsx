import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventType } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { SearchSelect } from '../../../components/search-select.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { customerQuery } from '../customers/customer-queries.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { visibilityQuery } from './event-type-queries.ts';
import { useVisibilityChange } from './schema-queries.ts';

/** The customers whose portals show the type in this environment. */
export function Audience({ eventType }: { eventType: EventType }) {
  const place = usePlace();
  const { workspace, environment } = place;
  const change = useVisibilityChange(eventType.id, environment.id);
  const { choices } = useCustomerChoices(undefined);
  const { data: entry } = useQuery({
    ...visibilityQuery(workspace.id, environment.id),
    select: (entries) => entries.find(({ eventTypeId }) => eventTypeId === eventType.id),
  });
  const applications = entry?.applications ?? null;
  const isFixed = entry === undefined || change.isPending || !mayChange(place);
  /** The only customer who would see it; undefined while nothing is asked. */
  const [only, setOnly] = useState<string>();
  const close = () => setOnly(undefined);
  useHeldSheet(only === undefined ? null : 'answer');
  const show = (audienceOf: (now: string[] | null) => string[] | null) =>
    change.mutate({ audienceOf }, { onSettled: close });
  // Where all customers see it by now, one more changes nothing.
  const add = (id: string) => show((now) => now && [...now.filter((one) => one !== id), id]);
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
        onChange={(id) => id !== null && (applications === null ? setOnly(id) : add(id))}
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
                onClick={() => show((now) => without(now, id))}
              >
                Leave out
              </Button>
            </Group>
          ))}
          <Group>
            <Button variant="default" size="compact-sm" disabled={isFixed} onClick={() => show(() => null)}>
              Show to all customers
            </Button>
          </Group>
        </>
      )}
      {change.error ? <ErrorNotice title="Not changed" error={change.error} /> : null}
      <ConfirmDialog
        opened={only !== undefined}
        onClose={close}
        title={`Show ${eventType.name} to one customer?`}
        action="Hide it from all others"
        onConfirm={() => only !== undefined && show((now) => (now === null ? [only] : [...new Set([...now, only])]))}
        pending={change.isPending}
        error={null}
      >
        It leaves the portals of all other customers in {environment.name}. Their subscriptions that a pattern or an
        agent made end now.
      </ConfirmDialog>
    </Stack>
  );
}

function without(audience: string[] | null, id: string): string[] | null {
  return audience === null ? null : audience.filter((one) => one !== id);
}

function CustomerName({ id }: { id: string }) {
  const { workspace } = usePlace();
  const { data } = useQuery(customerQuery(workspace.id, id));
  return <Text size="sm">{data?.name ?? id}</Text>;
}
