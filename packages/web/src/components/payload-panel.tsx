import { Alert, Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayloadEnvelope } from '../client/resources.ts';
import { rich, t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Id } from './id.tsx';
import { JsonView } from './json-view.tsx';
import type { ReaderTexts } from './reader-texts.ts';
import { saveFile } from './save-file.ts';

/** The query that reads a payload; null for a response without one. */
export type PayloadQuery = {
  queryKey: readonly string[];
  queryFn: () => Promise<PayloadEnvelope | null>;
  staleTime: number;
};

type Props = { query: PayloadQuery; texts: ReaderTexts };

/** The body as it was ingested, or the reason why it is not shown. It is read only on request. */
export function PayloadPanel({ query, texts }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('Payload')}</Title>
      {isShown ? (
        <Payload query={query} texts={texts} />
      ) : (
        <Group gap="sm">
          <Button variant="default" onClick={() => setShown(true)}>
            {t('Show payload')}
          </Button>
          <Text size="xs" c="dimmed">
            {t(`Reading a payload is entered in the ${texts.log}.`)}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Payload({ query, texts }: Props) {
  const { data, error, refetch } = useQuery(query);
  if (error)
    return <ErrorNotice title={t('The payload could not be loaded')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} />;
  return <Envelope payload={data} id={query.queryKey.at(-1) ?? 'payload'} texts={texts} />;
}

function Envelope({ payload, id, texts }: { payload: PayloadEnvelope; id: string; texts: ReaderTexts }) {
  if (payload.body === null) {
    return <Alert color="gray">{texts.payloads[payload.status]}</Alert>;
  }
  return (
    <Stack gap="xs">
      <Group gap="md">
        <Text size="xs" c="dimmed">
          {rich('{contentType} · {size} bytes', { contentType: payload.contentType, size: payload.size })}
        </Text>
        {payload.sha256 === null ? null : (
          <Group gap={6} wrap="nowrap" miw={0} maw="100%" c="dimmed" fz="xs">
            SHA-256{' '}
            <Box miw={0}>
              <Id value={payload.sha256} />
            </Box>
          </Group>
        )}
        <Button size="compact-xs" variant="default" onClick={() => download(payload, id)}>
          {t('Download')}
        </Button>
      </Group>
      {payload.encoding === 'base64' ? (
        <CodeBlock text={payload.body} what={t('the payload as base64')} />
      ) : (
        <JsonView body={payload.body} what={t('the payload')} isSearchable />
      )}
    </Stack>
  );
}

/** Saves the payload's bytes as a file. */
function download({ body, encoding, contentType }: PayloadEnvelope, id: string): void {
  const text = body ?? '';
  const type = contentType ?? 'application/octet-stream';
  const content = encoding === 'base64' ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) : text;
  // Always this type, so that a browser never opens a hostile payload as a page.
  saveFile(`${id}.${type.includes('json') ? 'json' : 'bin'}`, 'application/octet-stream', content);
}
