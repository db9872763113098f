import { Autocomplete, Button, Checkbox, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { OPERATION_LISTS } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { eventTypesQuery } from './event-type-queries.ts';
import { valuePaths } from './value-paths.ts';

type Key = NonNullable<EventType['searchKeys']>[number];

const MOST = 8;
const EMPTY: Key = { name: '', path: '', fold: false };

/** The search keys of the type. A change applies to events that are accepted from then on. */
export function SearchKeys({ eventType }: { eventType: EventType }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const [keys, setKeys] = useState<readonly Key[]>(eventType.searchKeys ?? []);
  const save = useMutation({
    mutationFn: () =>
      client.PATCH('/api/workspaces/{workspaceId}/event-types/{id}', {
        params: { path: { workspaceId: place.workspace.id, id: eventType.id } },
        body: { searchKeys: keys.length === 0 ? null : [...keys] },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: eventTypesQuery(place.workspace.id).queryKey }),
  });
  const index = useMutation({
    mutationFn: () =>
      client.POST('/api/workspaces/{workspaceId}/search-index', {
        params: { path: { workspaceId: place.workspace.id } },
        body: { eventType: eventType.name, dryRun: false },
      }),
    onSuccess: () => readAgain(queryClient, OPERATION_LISTS),
  });
  const isReadOnly = !mayChange(place);
  const paths = valuePaths(eventType.example);
  const change = (index: number, part: Partial<Key>) => {
    save.reset();
    setKeys((before) => before.map((one, at) => (at === index ? { ...one, ...part } : one)));
  };
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          Search keys
        </Text>
        <Text size="xs" c="dimmed">
          Find events by these values of their payloads, such as order_id:order_1002. The values stay sealed, and events
          accepted from now on are found.
        </Text>
      </div>
      {keys.map((key, index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="center">
          <TextInput
            aria-label={`Name of search key ${index + 1}`}
            placeholder="order_id"
            size="xs"
            w={130}
            readOnly={isReadOnly}
            value={key.name}
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
          />
          <Autocomplete
            aria-label={`Path of search key ${index + 1}`}
            placeholder="data.order.id"
            size="xs"
            flex={1}
            readOnly={isReadOnly}
            data={paths}
            value={key.path}
            onChange={(path) => change(index, { path })}
          />
          <Checkbox
            label="Any case"
            size="xs"
            disabled={isReadOnly}
            checked={key.fold}
            onChange={({ currentTarget }) => change(index, { fold: currentTarget.checked })}
          />
          {isReadOnly ? null : (
            <CloseButton
              size="sm"
              aria-label={`Remove search key ${index + 1}`}
              onClick={() => {
                save.reset();
                setKeys((before) => before.filter((_, at) => at !== index));
              }}
            />
          )}
        </Group>
      ))}
      {save.error ? <ErrorNotice title="Not saved" error={save.error} /> : null}
      {isReadOnly ? null : (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={keys.length >= MOST}
            onClick={() => setKeys((before) => [...before, EMPTY])}
          >
            Add a search key
          </Button>
          <Button
            size="xs"
            loading={save.isPending}
            disabled={
              JSON.stringify(keys) === JSON.stringify(save.data?.data?.searchKeys ?? eventType.searchKeys ?? [])
            }
            onClick={() => save.mutate()}
          >
            Save search keys
          </Button>
          {(save.data?.data ?? eventType).searchKeys === null ? null : (
            <Button variant="default" size="xs" loading={index.isPending} onClick={() => index.mutate()}>
              Index older events
            </Button>
          )}
        </Group>
      )}
      {index.error ? <ErrorNotice title="Not started" error={index.error} /> : null}
      {index.isSuccess ? (
        <Text size="xs" role="status">
          Older events are being indexed. Operations shows how far it is.
        </Text>
      ) : null}
    </Stack>
  );
}
