import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Endpoint } from '../../../client/resources.ts';
import { draftOf, rebased } from '../../../components/draft.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { configOf, getsRequests } from '../../../components/request/signatures.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';
import { ENDPOINT, type EndpointForm } from './config-draft.ts';
import { AddressFields, LimitFields, OrderingField } from './config-fields.tsx';
import { FormatFields } from './format-fields.tsx';
import { readSchedule } from './retry-schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** All settings of an endpoint. An empty field means the installation's default. */
export function AdvancedTab({ endpoint }: { endpoint: Endpoint }) {
  const isEditor = mayChange(usePlace());
  const form: EndpointForm = useForm({ initialValues: draftOf(ENDPOINT, endpoint) });
  const save = useSave(endpoint.id, form);
  const { isOwn, text } = form.values.config.retrySchedule;
  return (
    <Form draft={form} error={save.error} onSubmit={() => save.mutate(form.values)}>
      <Fieldset variant="unstyled" disabled={!isEditor}>
        <Stack gap="xl">
          <AddressFields hasUrl={endpoint.type === 'webhook'} hasHeaders={getsRequests(endpoint)} />
          <ScheduleFields form={form} />
          {/* No limits for pull endpoints: their programs set the pace themselves. */}
          {endpoint.pull ? null : <LimitFields />}
          <OrderingField />
          <FormatFields form={form} endpoint={endpoint} />
          <FormRefusal title="Nothing was saved" />
          {isEditor ? (
            <Group gap="sm">
              <Button
                type="submit"
                size="sm"
                loading={save.isPending}
                disabled={isOwn && readSchedule(text).kind === 'wrong'}
              >
                Save settings
              </Button>
              <span role="status">
                {save.isSuccess && !form.isDirty() ? 'Saved. It applies to every attempt from now on.' : ''}
              </span>
            </Group>
          ) : null}
        </Stack>
      </Fieldset>
    </Form>
  );
}

/** Saves the changes since the form was read or saved. Changes by others in the meantime stay. */
function useSave(id: string, form: EndpointForm) {
  const { mutateAsync } = useChangeEndpoint(id);
  return useMutation({
    mutationFn: (draft: EndpointForm['values']) =>
      mutateAsync((now) => {
        const next = rebased(ENDPOINT, draft, form.getInitialValues(), draftOf(ENDPOINT, now));
        const { url, description } = next;
        const config = configOf(ENDPOINT.config, next.config, now.config);
        return { description, config, ...(url !== now.url && { url }) };
      }),
    onSuccess: (endpoint, sent) => {
      const saved = draftOf(ENDPOINT, endpoint);
      form.setValues(rebased(ENDPOINT, form.getValues(), sent, saved));
      form.resetDirty(saved);
    },
  });
}
