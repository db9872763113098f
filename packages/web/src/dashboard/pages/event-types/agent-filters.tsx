import { Button, Checkbox, Stack, TagsInput, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { agentSettingsQuery } from '../access/access-queries.ts';
import { eventTypesQuery } from './event-type-queries.ts';
import { valuePaths } from './value-paths.ts';

const MOST = 30;

/** The values by which agents may filter events of the type. Empty if the operator has not enabled agents. */
export function AgentFilters({ eventType }: { eventType: EventType }) {
  const { data: settings } = useQuery(agentSettingsQuery(usePlace()));
  return settings?.available === true ? <Choice eventType={eventType} /> : null;
}

function Choice({ eventType }: { eventType: EventType }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const [paths, setPaths] = useState(eventType.agentFilters);
  const save = useMutation({
    mutationFn: () =>
      client.PATCH('/api/workspaces/{workspaceId}/event-types/{id}', {
        params: { path: { workspaceId: place.workspace.id, id: eventType.id } },
        body: { agentFilters: paths },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: eventTypesQuery(place.workspace.id).queryKey }),
  });
  const isReadOnly = !mayChange(place);
  const change = (next: string[] | null) => {
    save.reset();
    setPaths(next);
  };
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Filters of agents
      </Text>
      <Checkbox
        label="Choose by which values agents may filter"
        description="Otherwise by the first 30 values that the schema names."
        size="xs"
        disabled={isReadOnly}
        checked={paths !== null}
        onChange={({ currentTarget }) => change(currentTarget.checked ? [] : null)}
      />
      {paths === null ? null : (
        <TagsInput
          aria-label="Values by which agents may filter"
          placeholder="order.country"
          size="xs"
          readOnly={isReadOnly}
          maxTags={MOST}
          data={valuePaths(eventType.example)}
          value={paths}
          onChange={change}
        />
      )}
      {save.error ? <ErrorNotice title="Not saved" error={save.error} /> : null}
      {isReadOnly ? null : (
        <div>
          <Button
            size="xs"
            loading={save.isPending}
            disabled={JSON.stringify(paths) === JSON.stringify((save.data?.data ?? eventType).agentFilters)}
            onClick={() => save.mutate()}
          >
            Save filters of agents
          </Button>
        </div>
      )}
    </Stack>
  );
}
