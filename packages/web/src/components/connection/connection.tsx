import { Button, Group, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointConfig } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { Form, FormField, FormRefusal } from '../form.tsx';
import {
  type AuthMethod,
  type ConnectionChange,
  oauth2DraftOf,
  tlsDraftOf,
  withOAuth2,
  withoutOAuth2,
  withTls,
} from './connection-draft.ts';

type Props = {
  config: EndpointConfig;
  /** The credentials that are stored. */
  names: readonly string[];
  mayChange: boolean;
  change: (change: ConnectionChange) => Promise<unknown>;
};

const METHODS: { value: AuthMethod; label: string }[] = [
  { value: 'basic', label: t('Secret in a header (basic)') },
  { value: 'post', label: t('Secret in the body (post)') },
  { value: 'private_key_jwt', label: t('Private key (private_key_jwt)') },
];

/** A token of the receiver's authorization server for every request. */
export function OAuth2({ config, names, mayChange, change }: Props) {
  const [draft, setDraft] = useState(() => oauth2DraftOf(config));
  const update = useMutation({
    mutationFn: change,
    onSuccess: () => setDraft((before) => ({ ...before, credential: '' })),
  });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const isKey = draft.authMethod === 'private_key_jwt';
  const credential = isKey ? 'oauth2PrivateKey' : 'oauth2ClientSecret';
  const isStored = names.includes(credential);
  const label = isKey ? t('Private key (PEM)') : t('Client secret');
  const field = {
    ...{ label, required: !isStored, autoComplete: 'off', value: draft.credential },
    description: isStored ? t('Stored, and never shown. Leave it empty to keep it.') : t('It is stored encrypted.'),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set({ credential: currentTarget.value }),
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {config.oauth2 === undefined
          ? t(
              'None. With OAuth 2, every request has a bearer token of the receiver’s authorization server (client credentials).',
            )
          : t('Every request has a token from {tokenUrl}.', { tokenUrl: config.oauth2.tokenUrl })}
      </Text>
      {mayChange ? (
        <Form
          error={update.error}
          onSubmit={() => update.mutate((now) => withOAuth2(now.config, now.credentialNames, draft))}
        >
          <Stack gap="sm" maw={500}>
            <FormField of="config.oauth2.tokenUrl">
              <TextInput
                label={t('Token URL')}
                placeholder="https://login.example.com/oauth2/token"
                required
                value={draft.tokenUrl}
                onChange={({ currentTarget }) => set({ tokenUrl: currentTarget.value })}
              />
            </FormField>
            <FormField of="config.oauth2.clientId">
              <TextInput
                label={t('Client id')}
                required
                autoComplete="off"
                value={draft.clientId}
                onChange={({ currentTarget }) => set({ clientId: currentTarget.value })}
              />
            </FormField>
            <Select
              label={t('Client authentication')}
              size="sm"
              allowDeselect={false}
              data={METHODS}
              value={draft.authMethod}
              onChange={(value) => set({ authMethod: METHODS.find((one) => one.value === value)?.value ?? 'basic' })}
            />
            <FormField of={`credentials.${credential}`}>
              {isKey ? <Textarea autosize minRows={3} maxRows={8} {...field} /> : <PasswordInput {...field} />}
            </FormField>
            <FormField of="config.oauth2.scopes">
              <TextInput
                label={t('Scopes')}
                description={t('Separated by spaces.')}
                value={draft.scopes}
                onChange={({ currentTarget }) => set({ scopes: currentTarget.value })}
              />
            </FormField>
            <FormField of="config.oauth2.audience">
              <TextInput
                label={t('Audience')}
                value={draft.audience}
                onChange={({ currentTarget }) => set({ audience: currentTarget.value })}
              />
            </FormField>
            <FormRefusal title={t('Nothing was changed')} />
            <Group gap="sm">
              <Button type="submit" variant="default" size="sm" loading={update.isPending}>
                {t('Save OAuth 2')}
              </Button>
              {config.oauth2 === undefined ? null : (
                <Button
                  variant="subtle"
                  color="red"
                  size="sm"
                  onClick={() => update.mutate((now) => withoutOAuth2(now.config, now.credentialNames))}
                >
                  {t('Remove OAuth 2')}
                </Button>
              )}
              <Saved isSaved={update.isSuccess} />
            </Group>
          </Stack>
        </Form>
      ) : null}
    </Stack>
  );
}

/** The authority that the receiver's certificate comes from, and the certificate that it asks for. */
export function Tls({ config, names, mayChange, change }: Props) {
  const [draft, setDraft] = useState(() => tlsDraftOf(config));
  const update = useMutation({
    mutationFn: change,
    onSuccess: () => setDraft((before) => ({ ...before, key: '' })),
  });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const hasKey = names.includes('tlsClientKey');
  const pem = { autosize: true, minRows: 2, maxRows: 8, placeholder: '-----BEGIN CERTIFICATE-----' };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {config.tls === undefined
          ? t('The well-known authorities are trusted, and no client certificate is sent.')
          : t('This endpoint has TLS settings of its own.')}
      </Text>
      {mayChange ? (
        <Form
          error={update.error}
          onSubmit={() => update.mutate((now) => withTls(now.config, now.credentialNames, draft))}
        >
          <Stack gap="sm" maw={500}>
            <FormField of="config.tls.ca">
              <Textarea
                {...pem}
                label={t('Certificate authority (PEM)')}
                description={t('Instead of the well-known ones.')}
                value={draft.ca}
                onChange={({ currentTarget }) => set({ ca: currentTarget.value })}
              />
            </FormField>
            <FormField of="config.tls.clientCertificate">
              <Textarea
                {...pem}
                label={t('Client certificate (PEM)')}
                description={t('Followed by its chain.')}
                value={draft.clientCertificate}
                onChange={({ currentTarget }) => set({ clientCertificate: currentTarget.value })}
              />
            </FormField>
            <FormField of="credentials.tlsClientKey">
              <Textarea
                {...pem}
                label={t('Client key (PEM)')}
                placeholder="-----BEGIN PRIVATE KEY-----"
                description={
                  hasKey ? t('Stored, and never shown. Leave it empty to keep it.') : t('It is stored encrypted.')
                }
                value={draft.key}
                onChange={({ currentTarget }) => set({ key: currentTarget.value })}
              />
            </FormField>
            <FormField of="config.tls.serverName">
              <TextInput
                label={t('Host in the certificate')}
                description={t('Instead of the URL’s host.')}
                value={draft.serverName}
                onChange={({ currentTarget }) => set({ serverName: currentTarget.value })}
              />
            </FormField>
            <FormRefusal title={t('Nothing was changed')} />
            <Group gap="sm">
              <Button type="submit" variant="default" size="sm" loading={update.isPending}>
                {t('Save TLS')}
              </Button>
              <Saved isSaved={update.isSuccess} />
            </Group>
          </Stack>
        </Form>
      ) : null}
    </Stack>
  );
}

function Saved({ isSaved }: { isSaved: boolean }) {
  return (
    <Text size="sm" role="status">
      {isSaved ? t('Saved. It applies to every attempt from now on.') : ''}
    </Text>
  );
}
