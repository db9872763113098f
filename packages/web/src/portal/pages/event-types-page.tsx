import { EmptyState, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SchemaView } from '../../components/schema-view.tsx';
import { t } from '../../language/language.ts';
import { catalogQuery } from '../portal-queries.ts';

/** The published types to subscribe to, each with its description, its schema and an example. */
export function EventTypesPage() {
  const { data, error, refetch } = useQuery(catalogQuery());
  const [search, setSearch] = useState('');
  if (error !== null && data === undefined) {
    return <ErrorNotice title={t('The catalogue could not be loaded')} error={error} onRetry={() => void refetch()} />;
  }
  const found = data?.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      <PageHeader title={t('Event catalogue')} line={t('The types of messages that your endpoints can get.')} />
      <TextInput
        aria-label={t('Name of the event type')}
        placeholder={t('Part of a name')}
        size="xs"
        maw={240}
        mb="md"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {found === undefined ? <Skeleton height={160} /> : null}
      {found?.length === 0 ? (
        <EmptyState
          size="sm"
          title={search === '' ? t('No event type is published yet') : t('No event type matches')}
        />
      ) : null}
      <Stack gap="xl">
        {found?.map(({ id, name, description, schema, example }) => (
          <Stack key={id} gap="xs" component="section" aria-label={name}>
            <Title order={2} className="mono" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            {description === null ? null : (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {description}
              </Text>
            )}
            {schema === null ? null : <SchemaView schema={schema} what={t('the schema of {name}', { name })} />}
            {example === null || example === undefined ? (
              <Text size="sm" c="dimmed">
                {t('There is no example of it.')}
              </Text>
            ) : (
              <>
                <Text size="xs" c="dimmed">
                  {t('Example')}
                </Text>
                <CodeBlock text={JSON.stringify(example, null, 2)} what={t('the example of {name}', { name })} />
              </>
            )}
          </Stack>
        ))}
      </Stack>
    </>
  );
}
