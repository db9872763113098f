import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { getsRequests } from '../../../components/request/signatures.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';
import { type ConfigDraft, configOf, draftOf, rebased } from './config-draft.ts';
import { AddressFields, LimitFields, OrderingField } from './config-fields.tsx';
import { FormatFields } from './format-fields.tsx';
import { readSchedule } from './retry-schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** Everything that is set for one endpoint; empty fields are the installation's defaults. */
export function AdvancedTab({ endpoint }: { endpoint: Endpoint }) {
  const isEditor = mayChange(usePlace());
  const [start, setStart] = useState(() => draftOf(endpoint));
  const [draft, setDraft] = useState(start);
  const save = useSave(endpoint.id, start, (saved, sent) => {
    setStart(saved);
    setDraft((before) => rebased(before, sent, saved));
  });
  const change = (part: Partial<ConfigDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    save.reset();
  };
  const isWrong = draft.hasOwnSchedule && readSchedule(draft.schedule).kind === 'wrong';
  return (
    <Form error={save.error} onSubmit={() => save.mutate(draft)}>
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
              <Button type="submit" size="sm" loading={save.isPending} disabled={isWrong}>
                Save settings
              </Button>
              <span role="status">{save.isSuccess ? 'Saved. It applies to every attempt from now on.' : ''}</span>
            </Group>
          ) : null}
        </Stack>
      </Fieldset>
    </Form>
  );
}

/** Saves what was changed in a draft since `start`. What somebody else has changed in the meantime stays. */
function useSave(id: string, start: ConfigDraft, onSaved: (saved: ConfigDraft, sent: ConfigDraft) => void) {
  const { mutateAsync } = useChangeEndpoint(id);
  return useMutation({
    mutationFn: (draft: ConfigDraft) =>
      mutateAsync((now) => {
        const next = rebased(draft, start, draftOf(now));
        const { url, description } = next;
        return { description, config: configOf(next, now.config), ...(url !== now.url && { url }) };
      }),
    onSuccess: (saved, sent) => onSaved(draftOf(saved), sent),
  });
}
