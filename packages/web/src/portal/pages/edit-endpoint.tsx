import { Button, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { changedOf } from '../../components/draft.ts';
import { Form, FormField, FormRefusal } from '../../components/form.tsx';
import { useHeldSheet } from '../../components/hold-sheet.ts';
import { SideSheet } from '../../components/side-sheet.tsx';
import { counted, t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';

type Props = { endpoint: Endpoint; opened: boolean; onClose: () => void };

/** Changes an endpoint's address and description, and activates or deactivates it. */
export function EditEndpoint({ endpoint, opened, onClose }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('Edit endpoint')}>
      {opened ? <EditForm endpoint={endpoint} onSaved={onClose} /> : null}
    </SideSheet>
  );
}

function EditForm({ endpoint, onSaved }: { endpoint: Endpoint; onSaved: () => void }) {
  const { id, url, description, isActive, config } = endpoint;
  const form = useForm({ initialValues: { url, description, isActive } });
  const readAgain = useReadAgain();
  const save = api.useMutation('patch', '/api/portal/endpoints/{id}', { onSettled: readAgain, onSuccess: onSaved });
  useHeldSheet(save.isPending ? 'answer' : null);
  // The other fields may have changed elsewhere, such as by a deactivation.
  const body = changedOf(form.getInitialValues(), form.values);
  return (
    <Form draft={form} error={save.error} onSubmit={() => save.mutate({ params: { path: { id } }, body })}>
      <Stack gap="md">
        {endpoint.target === url ? (
          <FormField of="url">
            <TextInput
              label={t('Address')}
              description={answerWords(config.timeoutSeconds)}
              placeholder="https://example.com/webhooks"
              required
              data-autofocus
            />
          </FormField>
        ) : null}
        <FormField of="description">
          <TextInput label={t('Description')} />
        </FormField>
        <FormField of="isActive" type="checkbox">
          <Switch label={t('Gets messages')} />
        </FormField>
        <FormRefusal title={t('Nothing was changed')} />
        <Button type="submit" size="sm" loading={save.isPending}>
          {t('Save')}
        </Button>
      </Stack>
    </Form>
  );
}

/** Describes the time limit. The operator sets it for endpoints without their own. */
function answerWords(seconds: number | undefined): string {
  if (seconds === undefined) return t('An https address that answers quickly.');
  return counted(
    seconds,
    'An https address that answers within a second.',
    'An https address that answers within {count} seconds.',
  );
}
