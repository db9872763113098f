import { Button, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { Form, FormRefusal } from '../../components/form.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';
import { AddressFields } from './address-fields.tsx';

type Props = { endpoint: Endpoint; opened: boolean; onClose: () => void };

/** Changes an endpoint's address and description, and whether it gets messages. */
export function EditEndpoint({ endpoint, opened, onClose }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('Edit endpoint')}>
      {opened ? <EditForm endpoint={endpoint} onSaved={onClose} /> : null}
    </SideSheet>
  );
}

type Draft = Pick<Endpoint, 'url' | 'description' | 'isActive'>;

/** What was changed in the form. The other fields may have changed elsewhere, such as by a deactivation. */
function changedOf(before: Draft, { url, description, isActive }: Draft): Partial<Draft> {
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(isActive !== before.isActive && { isActive }),
  };
}

function EditForm({ endpoint, onSaved }: { endpoint: Endpoint; onSaved: () => void }) {
  const { id, url, description, isActive } = endpoint;
  const [before] = useState({ url, description, isActive });
  const [draft, setDraft] = useState(before);
  const readAgain = useReadAgain();
  const save = api.useMutation('patch', '/api/portal/endpoints/{id}', { onSettled: readAgain, onSuccess: onSaved });
  return (
    <Form error={save.error} onSubmit={() => save.mutate({ params: { path: { id } }, body: changedOf(before, draft) })}>
      <Stack gap="md">
        <AddressFields
          draft={draft}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          timeoutSeconds={endpoint.config.timeoutSeconds}
          hasUrl={endpoint.target === endpoint.url}
        />
        <Switch
          label={t('Gets messages')}
          checked={draft.isActive}
          onChange={({ currentTarget }) => setDraft({ ...draft, isActive: currentTarget.checked })}
        />
        <FormRefusal title={t('Nothing was changed')} />
        <Button type="submit" size="sm" loading={save.isPending}>
          {t('Save')}
        </Button>
      </Stack>
    </Form>
  );
}
