import { Button, Group, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EndpointConfig } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { draftOf } from '../draft.ts';
import { Form, FormField, FormRefusal, type TypedForm } from '../form.tsx';
import {
  type AuthMethod,
  type ConnectionChange,
  OAUTH2,
  TLS,
  withOAuth2,
  withoutOAuth2,
  withTls,
} from './connection-draft.ts';

type Props = {
  config: EndpointConfig;
  /** The names of the stored credentials. */
  names: readonly string[];
  mayChange: boolean;
  change: (change: ConnectionChange) => Promise<unknown>;
};

const METHODS: { value: AuthMethod; label: string }[] = [
  { value: 'basic', label: t('Secret in a header (basic)') },
  { value: 'post', label: t('Secret in the body (post)') },
  { value: 'private_key_jwt', label: t('Private key (private_key_jwt)') },
];

/** The form for OAuth 2: each request gets a token of the receiver's authorization server. */
export function OAuth2({ config, names, mayChange, change }: Props) {
  const form = useForm({ initialValues: draftOf(OAUTH2, { config }) });
  const update = useMutation({ mutationFn: change });
  const save = () => {
    const sent = form.values;
    const onSuccess = () => {
      form.setFieldValue('credentials', draftOf(OAUTH2.credentials));
      form.resetDirty({ ...sent, credentials: draftOf(OAUTH2.credentials) });
    };
    update.mutate(withOAuth2(sent, form.getInitialValues()), { onSuccess });
  };
  const [isRemoving, { open, close }] = useDisclosure();
  const remove = () => {
    const onSuccess = () => {
      form.setValues(draftOf(OAUTH2));
      form.resetDirty(draftOf(OAUTH2));
    };
    update.mutate(withoutOAuth2, { onSuccess, onSettled: close });
  };
  const isKey = form.values.config.oauth2.authMethod === 'private_key_jwt';
  const credential = isKey ? 'oauth2PrivateKey' : 'oauth2ClientSecret';
  const isStored = names.includes(credential);
  const label = isKey ? t('Private key (PEM)') : t('Client secret');
  const secret = { label, required: !isStored, autoComplete: 'off', description: keptWords(isStored) };
  return (
    <Connection
      words={
        config.oauth2 === undefined
          ? t(
              'None. With OAuth 2, every request has a bearer token of the receiver’s authorization server (client credentials).',
            )
          : t('Every request has a token from {tokenUrl}.', { tokenUrl: config.oauth2.tokenUrl })
      }
      {...{ mayChange, form, update }}
      onSubmit={save}
      save={t('Save OAuth 2')}
      remove={
        config.oauth2 === undefined ? null : (
          <>
            <Button variant="subtle" color="red" size="sm" disabled={update.isPending} onClick={open}>
              {t('Remove OAuth 2')}
            </Button>
            <ConfirmDialog
              opened={isRemoving}
              onClose={close}
              title={t('Remove {name}?', { name: 'OAuth 2' })}
              action={t('Remove OAuth 2')}
              onConfirm={remove}
              pending={update.isPending}
              error={null}
            >
              {t(
                'Its settings are deleted with the stored secret or key, which cannot be shown or brought back. Requests from now on are sent without a token.',
              )}
            </ConfirmDialog>
          </>
        )
      }
    >
      <FormField of="config.oauth2.tokenUrl">
        <TextInput label={t('Token URL')} placeholder="https://login.example.com/oauth2/token" required />
      </FormField>
      <FormField of="config.oauth2.clientId">
        <TextInput label={t('Client id')} required autoComplete="off" />
      </FormField>
      <FormField of="config.oauth2.authMethod">
        <Select label={t('Client authentication')} size="sm" allowDeselect={false} data={METHODS} />
      </FormField>
      <FormField key={credential} of={`credentials.${credential}`}>
        {isKey ? <Textarea autosize minRows={3} maxRows={8} {...secret} /> : <PasswordInput {...secret} />}
      </FormField>
      <FormField of="config.oauth2.scopes">
        <TextInput label={t('Scopes')} description={t('Separated by spaces.')} />
      </FormField>
      <FormField of="config.oauth2.audience">
        <TextInput label={t('Audience')} />
      </FormField>
    </Connection>
  );
}

/**
 * The form for TLS: the authority of the receiver's certificate, and the client certificate that the receiver requires.
 */
export function Tls({ config, names, mayChange, change }: Props) {
  const form = useForm({ initialValues: draftOf(TLS, { config }) });
  const update = useMutation({ mutationFn: change });
  const save = () => {
    const sent = form.values;
    const onSuccess = () => {
      form.setFieldValue('credentials', draftOf(TLS.credentials));
      form.resetDirty({ ...sent, credentials: draftOf(TLS.credentials) });
    };
    update.mutate(withTls(sent, form.getInitialValues()), { onSuccess });
  };
  const pem = { autosize: true, minRows: 2, maxRows: 8, placeholder: '-----BEGIN CERTIFICATE-----' };
  return (
    <Connection
      words={
        config.tls === undefined
          ? t('The well-known authorities are trusted, and no client certificate is sent.')
          : t('This endpoint has TLS settings of its own.')
      }
      {...{ mayChange, form, update }}
      onSubmit={save}
      save={t('Save TLS')}
    >
      <FormField of="config.tls.ca">
        <Textarea
          {...pem}
          label={t('Certificate authority (PEM)')}
          description={t('Instead of the well-known ones.')}
        />
      </FormField>
      <FormField of="config.tls.clientCertificate">
        <Textarea {...pem} label={t('Client certificate (PEM)')} description={t('Followed by its chain.')} />
      </FormField>
      <FormField of="credentials.tlsClientKey">
        <Textarea
          {...pem}
          label={t('Client key (PEM)')}
          placeholder="-----BEGIN PRIVATE KEY-----"
          description={keptWords(names.includes('tlsClientKey'))}
        />
      </FormField>
      <FormField of="config.tls.serverName">
        <TextInput label={t('Host in the certificate')} description={t('Instead of the URL’s host.')} />
      </FormField>
    </Connection>
  );
}

function keptWords(isStored: boolean): string {
  return isStored ? t('Stored, and never shown. Leave it empty to keep it.') : t('It is stored encrypted.');
}

type ConnectionProps = {
  /** The current setting, in words. */
  words: string;
  mayChange: boolean;
  form: TypedForm;
  update: { error: unknown; isPending: boolean; isSuccess: boolean };
  onSubmit: () => void;
  save: string;
  remove?: ReactNode;
  children: ReactNode;
};

function Connection({ words, mayChange, form, update, onSubmit, save, remove, children }: ConnectionProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      {mayChange ? (
        <Form draft={form} error={update.error} onSubmit={onSubmit}>
          <Stack gap="sm" maw={500}>
            {children}
            <FormRefusal title={t('Nothing was changed')} />
            <Group gap="sm">
              <Button type="submit" variant="default" size="sm" loading={update.isPending}>
                {save}
              </Button>
              {remove}
              <Text size="sm" role="status">
                {update.isSuccess ? t('Saved. It applies to every attempt from now on.') : ''}
              </Text>
            </Group>
          </Stack>
        </Form>
      ) : null}
    </Stack>
  );
}
