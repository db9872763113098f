import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { getsRequests } from '../../../components/request/signatures.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';
import { type ConfigDraft, configOf, draftOf } from './config-draft.ts';
import { AddressFields, LimitFields, OrderingField } from './config-fields.tsx';
import { FormatFields } from './format-fields.tsx';
import { readSchedule } from './retry-schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** Everything that is set for one endpoint; empty fields are the installation's defaults. */
export function AdvancedTab({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const isEditor = mayChange(place);
  const update = useUpdateEndpoint();
  const [draft, setDraft] = useState(() => draftOf(endpoint));
  const change = (part: Partial<ConfigDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    update.reset();
  };
  const save = () => {
    const { url, description } = draft;
    const config = configOf(draft, endpoint.config);
    const params = { path: { workspaceId: place.workspace.id, id: endpoint.id } };
    update.mutate({ params, body: { description, config, ...(url !== endpoint.url && { url }) } });
  };
  const isWrong = draft.hasOwnSchedule && readSchedule(draft.schedule).kind === 'wrong';
  return (
    <Form error={update.error} onSubmit={save}>
      <Fieldset variant="unstyled" disabled={!isEditor}>
        <Stack gap="xl">
          <AddressFields
            draft={draft}
            onChange={change}
            hasUrl={endpoint.type === 'webhook'}
            hasHeaders={getsRequests(endpoint)}
          />
          <ScheduleFields draft={draft} onChange={change} />
          {/* The programs that fetch set the pace themselves. */}
          {endpoint.pull ? null : <LimitFields draft={draft} onChange={change} />}
          <OrderingField draft={draft} onChange={change} />
          <FormatFields draft={draft} onChange={change} endpoint={endpoint} />
          <FormRefusal title="Nothing was saved" />
          {isEditor ? (
            <Group gap="sm">
              <Button type="submit" size="sm" loading={update.isPending} disabled={isWrong}>
                Save settings
              </Button>
              <span role="status">{update.isSuccess ? 'Saved. It applies to every attempt from now on.' : ''}</span>
            </Group>
          ) : null}
        </Stack>
      </Fieldset>
    </Form>
  );
}
