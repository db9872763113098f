import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { OAuth2, Tls } from '../../components/connection/connection.tsx';
import type { ConnectionChange } from '../../components/connection/connection-draft.ts';
import { draftOf, rebased } from '../../components/draft.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormChoice } from '../../components/request/form-choice.tsx';
import { RequestPreview } from '../../components/request/request-preview.tsx';
import { configOf, getsRequests, REQUEST, type RequestDraft } from '../../components/request/signatures.ts';
import { SecretHeaders } from '../../components/secret-headers.tsx';
import { Sections } from '../../components/sections.tsx';
import { t } from '../../language/language.ts';
import { eventTypesQuery, useChangeEndpoint, useReadAgain } from '../portal-queries.ts';
import { useMay, useSession } from '../session.ts';
import { useSamples } from '../use-samples.ts';

/** The format of messages, with a preview, and the headers that the endpoint needs. */
export function SettingsTab({ endpoint }: { endpoint: Endpoint }) {
  const { mutateAsync } = useChangeEndpoint(endpoint.id);
  const { config, credentialNames: names, secretHeaderNames } = endpoint;
  const change = (given: ConnectionChange) => mutateAsync(given);
  const connection = { config, names, mayChange: useMay('endpoints:write'), change };
  const isWebhook = endpoint.target === endpoint.url;
  const sections = [
    {
      name: t('Secret headers'),
      isShown: getsRequests(endpoint),
      isSet: secretHeaderNames.length > 0,
      content: <Headers endpoint={endpoint} />,
    },
    { name: 'OAuth 2', isShown: isWebhook, isSet: config.oauth2 !== undefined, content: <OAuth2 {...connection} /> },
    { name: 'TLS', isShown: isWebhook, isSet: config.tls !== undefined, content: <Tls {...connection} /> },
  ];
  return (
    <Stack gap="xl">
      <Form endpoint={endpoint} />
      <Sections sections={sections.filter(({ isShown }) => isShown)} />
    </Stack>
  );
}

function Form({ endpoint }: { endpoint: Endpoint }) {
  const mayChange = useMay('endpoints:write');
  const form = useForm({ initialValues: draftOf(REQUEST, endpoint.config) });
  const change = useChangeEndpoint(endpoint.id);
  const save = () => {
    const [start, sent] = [form.getInitialValues(), form.values];
    // Somebody else may have changed the other one in the meantime.
    const draftIn = ({ config }: Pick<Endpoint, 'config'>) => rebased(REQUEST, sent, start, draftOf(REQUEST, config));
    change.mutate((now) => ({ config: configOf(REQUEST, draftIn(now), now.config) }), {
      onSuccess: ({ data }) => {
        const saved = data === undefined ? sent : draftOf(REQUEST, data.config);
        form.setValues(rebased(REQUEST, form.getValues(), sent, saved));
        form.resetDirty(saved);
      },
    });
  };
  return (
    <Stack gap="md" component="section" aria-label={t('Body and signature')}>
      <Title order={2}>{t('Body and signature')}</Title>
      <FormChoice draft={form.values} onChange={form.setValues} endpoint={endpoint} disabled={!mayChange} />
      <Preview endpoint={endpoint} draft={form.values} />
      {change.error ? <ErrorNotice title={t('Nothing was saved')} error={change.error} /> : null}
      {mayChange ? (
        <Group gap="sm">
          <Button size="sm" disabled={!form.isDirty()} loading={change.isPending} onClick={save}>
            {t('Save')}
          </Button>
          <Text size="sm" role="status">
            {change.isSuccess && !form.isDirty() ? t('Saved. It applies to every attempt from now on.') : ''}
          </Text>
        </Group>
      ) : null}
    </Stack>
  );
}

function Preview({ endpoint, draft }: { endpoint: Endpoint; draft: RequestDraft }) {
  const { workspaceId } = useSession();
  const { data: types = [] } = useQuery(eventTypesQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const type = types.find(({ id }) => id === chosen) ?? types[0];
  const samples = useSamples(type && { name: type.name, example: type.example });
  return (
    <RequestPreview
      draft={{
        url: endpoint.url,
        headers: endpoint.config.headers ?? {},
        standardHeaders: endpoint.config.standardHeaders,
        ...{ format: draft.payloadFormat, signature: draft.signature },
      }}
      endpoint={endpoint}
      workspaceId={workspaceId}
      types={types}
      typeId={type?.id}
      onChooseType={setChosen}
      samples={samples}
    />
  );
}

function Headers({ endpoint }: { endpoint: Endpoint }) {
  const readAgain = useReadAgain();
  const update = api.useMutation('patch', '/api/portal/endpoints/{id}', { onSuccess: readAgain });
  const params = { path: { id: endpoint.id } };
  return (
    <SecretHeaders
      names={endpoint.secretHeaderNames}
      mayChange={useMay('endpoints:write')}
      change={(secretHeaders) => update.mutateAsync({ params, body: { secretHeaders } })}
    />
  );
}
