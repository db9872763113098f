import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Attempt, Endpoint, EndpointType, EndpointUpdate } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { draftOf, rebased, typedValue } from '../draft.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { Form, FormRefusal } from '../form.tsx';
import { changeOf, fieldsOf, shapeOf } from './schema-fields.ts';
import { SchemaForm } from './schema-form.tsx';
import { SetupText } from './setup-text.tsx';

/** Makes the update of the endpoint as it is when the form is saved. */
type DestinationChange = (now: Pick<Endpoint, 'config'>) => Pick<EndpointUpdate, 'config' | 'credentials'>;

type Props = {
  endpoint: Pick<Endpoint, 'config' | 'credentialNames' | 'target'>;
  kind: EndpointType;
  mayChange: boolean;
  change: (change: DestinationChange) => Promise<unknown>;
  /** Sends a message now, and answers its attempt; undefined for those who may not. */
  test: (() => Promise<Attempt>) | undefined;
};

/** The settings of an endpoint's destination: where its messages go, its credentials there, and a test. */
export function DestinationSettings({ endpoint, kind, mayChange, change, test }: Props) {
  return (
    <Stack gap="xl">
      <Stack gap="sm" component="section" aria-label={t('Destination')}>
        <Title order={2}>{t('Destination')}</Title>
        <Text size="sm" c="dimmed">
          {t('Messages go to: {target}.', { target: endpoint.target })} {kind.delivered}
        </Text>
        {mayChange ? <Settings endpoint={endpoint} kind={kind} change={change} /> : null}
      </Stack>
      {test === undefined ? null : <Test test={test} />}
      <Stack gap="sm">
        <Title order={2}>{t('What to set up')}</Title>
        <SetupText setup={kind.setup} />
      </Stack>
    </Stack>
  );
}

function Settings({ endpoint, kind, change }: Pick<Props, 'endpoint' | 'kind' | 'change'>) {
  const fields = fieldsOf(kind.configSchema);
  const secrets = fieldsOf(kind.credentialsSchema);
  const shape = { config: { destination: shapeOf(fields) }, credentials: shapeOf(secrets) };
  const form = useForm({ initialValues: draftOf(shape, endpoint) });
  const { credentials } = form.values;
  const update = useMutation({ mutationFn: change });
  const save = () => {
    const [start, sent] = [form.getInitialValues(), form.values];
    const given = changeOf(secrets, credentials);
    const onSuccess = () => {
      form.setFieldValue('credentials', draftOf(shape.credentials));
      form.resetDirty({ ...sent, credentials: draftOf(shape.credentials) });
    };
    // Somebody else may have changed the other fields in the meantime.
    update.mutate(
      ({ config }) => {
        const draft = rebased(shape.config, sent.config, start.config, draftOf(shape.config, config));
        const destination = typedValue(shape.config.destination, draft.destination, {});
        return { config: { ...config, destination }, ...(Object.keys(given).length > 0 && { credentials: given }) };
      },
      { onSuccess },
    );
  };
  return (
    <Form draft={form} error={update.error} onSubmit={save}>
      <Stack gap="md" maw={500}>
        <SchemaForm fields={fields} of="config.destination" />
        <SchemaForm
          fields={secrets}
          of="credentials"
          stored={endpoint.credentialNames}
          removed={secrets.map(({ name }) => name).filter((name) => credentials[name] === null)}
          onRemove={(name, isRemoved) =>
            form.setFieldValue('credentials', (all) => ({ ...all, [name]: isRemoved ? null : '' }))
          }
        />
        <FormRefusal title={t('Nothing was changed')} />
        <Group gap="sm">
          <Button type="submit" variant="default" size="sm" loading={update.isPending}>
            {t('Save destination')}
          </Button>
          <Text size="sm" role="status">
            {update.isSuccess ? t('Saved. It applies to every attempt from now on.') : ''}
          </Text>
        </Group>
      </Stack>
    </Form>
  );
}

function Test({ test }: { test: () => Promise<Attempt> }) {
  const sent = useMutation({ mutationFn: test });
  return (
    <Stack gap="sm" component="section" aria-label={t('Test')}>
      <Title order={2}>{t('Test')}</Title>
      <Group gap="sm">
        <Button variant="default" size="sm" loading={sent.isPending} onClick={() => sent.mutate()}>
          {t('Send a test message')}
        </Button>
        <Text size="sm" role="status">
          {sent.data === undefined ? '' : resultOf(sent.data)}
        </Text>
      </Group>
      {sent.error ? <ErrorNotice title={t('Nothing was sent')} error={sent.error} /> : null}
    </Stack>
  );
}

function resultOf({ outcome, errorMessage, errorCode }: Attempt): string {
  return outcome === 'success' ? t('The other side has the message.') : (errorMessage ?? errorCode ?? t('It failed.'));
}
