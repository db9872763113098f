import { Button, EmptyState, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../client/api.ts';
import type { Endpoint, EventType, Subscription } from '../../client/resources.ts';
import { AllEvents } from '../../components/all-events.tsx';
import { announceChange } from '../../components/announce-change.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { filterWords } from '../../components/filter/clause-words.ts';
import { SideSheet } from '../../components/side-sheet.tsx';
import { t } from '../../language/language.ts';
import { eventTypesQuery, subscriptionsQuery, useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { EditFilter } from './edit-filter.tsx';

/** The published types. Each has a switch for the subscription, and a filter. */
export function SubscriptionsTab({ endpoint }: { endpoint: Endpoint }) {
  const endpointId = endpoint.id;
  const mayChange = useMay('endpoints:write');
  const readAgain = useReadAgain();
  const update = api.useMutation('patch', '/api/portal/endpoints/{id}', { onSettled: readAgain });
  const before = endpoint.eventTypePatterns;
  const setPatterns = (eventTypePatterns: Endpoint['eventTypePatterns'], onSuccess?: () => void) =>
    update.mutate({ params: { path: { id: endpointId } }, body: { eventTypePatterns } }, { onSuccess });
  const types = useQuery(eventTypesQuery());
  const subscriptions = useQuery(subscriptionsQuery(endpointId));
  const toggle = useToggle(endpointId);
  const [editing, setEditing] = useState<string | null>(null);
  if (types.data === undefined || subscriptions.data === undefined) {
    const failed = [types, subscriptions].find(({ error, data }) => error !== null && data === undefined);
    if (failed === undefined) return <Skeleton height={120} />;
    const retry = () => void failed.refetch();
    return <ErrorNotice title={t('The event types could not be loaded')} error={failed.error} onRetry={retry} />;
  }
  if (types.data.length === 0) return <EmptyState size="sm" title={t('No event type is published yet')} />;
  const subscribed = new Map(subscriptions.data.map((one) => [one.eventTypeId, one]));
  const edited = types.data.find(({ id }) => id === editing && subscribed.has(id));
  const close = () => setEditing(null);
  return (
    <Stack gap="md">
      {toggle.error || update.error ? (
        <ErrorNotice title={t('Nothing was changed')} error={toggle.error ?? update.error} />
      ) : null}
      <AllEvents
        patterns={endpoint.eventTypePatterns}
        noun="messages"
        isDisabled={!mayChange || update.isPending}
        onChange={(eventTypePatterns) =>
          setPatterns(eventTypePatterns, () => {
            const hasLostFilter = before.some(
              ({ pattern, filter }) => filter && !eventTypePatterns.some((one) => one.pattern === pattern),
            );
            if (!hasLostFilter) return;
            announceChange({
              id: `all-${endpointId}`,
              words: t('The endpoint no longer subscribes to every type, and the filter is removed.'),
              undo: () => setPatterns(before),
            });
          })
        }
      />
      {types.data.map((type) => (
        <TypeRow
          key={type.id}
          type={type}
          subscription={subscribed.get(type.id)}
          isPending={toggle.isPending}
          onToggle={(on) => toggle.mutate({ type, on, filter: subscribed.get(type.id)?.filter ?? null })}
          onEdit={() => setEditing(type.id)}
        />
      ))}
      <SideSheet
        opened={edited !== undefined}
        onClose={close}
        title={t('Filter of {name}', { name: edited?.name ?? '' })}
      >
        {edited === undefined ? null : (
          <EditFilter
            endpointId={endpointId}
            type={edited}
            filter={subscribed.get(edited.id)?.filter ?? null}
            onSaved={close}
          />
        )}
      </SideSheet>
    </Stack>
  );
}

type RowProps = {
  type: EventType;
  subscription: Subscription | undefined;
  isPending: boolean;
  onToggle: (on: boolean) => void;
  onEdit: () => void;
};

function TypeRow({ type, subscription, isPending, onToggle, onEdit }: RowProps) {
  const mayChange = useMay('endpoints:write');
  const filter = subscription?.filter ?? null;
  return (
    <Group gap="md" wrap="nowrap" align="flex-start">
      <Switch
        aria-label={t('Messages of {name}', { name: type.name })}
        checked={subscription !== undefined}
        disabled={!mayChange || isPending}
        onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
      />
      <Stack gap={2} miw={0} flex={1}>
        <span className="mono">{type.name}</span>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {type.description}
        </Text>
        {filter === null ? null : (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('only when {filter}', { filter: filterWords(filter) })}
          </Text>
        )}
      </Stack>
      {mayChange && subscription !== undefined ? (
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          aria-label={t('Filter of {name}', { name: type.name })}
          onClick={onEdit}
        >
          {filter === null ? t('Filter …') : t('Edit filter …')}
        </Button>
      ) : null}
    </Group>
  );
}

type Toggled = { type: EventType; on: boolean; filter: Subscription['filter'] };

/** Switches a type on or off. A filter that ends with its subscription can be had back by the notification. */
function useToggle(id: string) {
  const readAgain = useReadAgain();
  const toggle = useMutation({
    mutationFn: async ({ type, on, filter }: Toggled) => {
      if (on) {
        const body = { eventTypeIds: [type.id], ...(filter && { filter }) };
        await client.POST('/api/portal/endpoints/{id}/subscriptions', { params: { path: { id } }, body });
      } else {
        const params = { path: { id, eventTypeId: type.id } };
        await client.DELETE('/api/portal/endpoints/{id}/subscriptions/{eventTypeId}', { params });
      }
    },
    onSuccess: (_answer, { type, on, filter }) => {
      if (on || filter === null) return;
      announceChange({
        id: `subscribe-${id}-${type.id}`,
        words: t('The endpoint no longer subscribes to {name}, and the filter is removed.', { name: type.name }),
        undo: () => toggle.mutate({ type, on: true, filter }),
      });
    },
    onSettled: readAgain,
  });
  return toggle;
}
