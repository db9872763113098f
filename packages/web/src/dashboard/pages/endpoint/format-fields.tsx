import { Group, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { usePlace } from '../../place.ts';
import { headersOf } from './config-draft.ts';
import type { FieldsProps } from './config-fields.tsx';
import { exampleText } from './example-text.ts';
import { requestPreview } from './request-preview.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** The form of the body and the signature, with the request that they make. */
export function FormatFields({ draft, onChange, endpoint }: FieldsProps & { endpoint: Endpoint }) {
  return (
    <Stack gap="sm" component="section" aria-label="Body and signature">
      <Title order={2}>Body and signature</Title>
      <Group gap="md">
        <SegmentedControl
          aria-label="Body"
          value={draft.payloadFormat}
          onChange={(payloadFormat) => onChange({ payloadFormat })}
          data={[
            { value: 'raw', label: 'As ingested' },
            { value: 'envelope', label: 'Envelope' },
            { value: 'cloudevents', label: 'CloudEvents' },
          ]}
        />
        <SegmentedControl
          aria-label="Signature"
          value={draft.signature}
          onChange={(signature) => onChange({ signature })}
          data={[
            { value: 'standard', label: 'HMAC-SHA256' },
            { value: 'standard-ed25519', label: 'and Ed25519' },
          ]}
        />
      </Group>
      <Preview draft={draft} endpoint={endpoint} />
    </Stack>
  );
}

function Preview({ draft, endpoint }: { draft: FieldsProps['draft']; endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { types } = useTypesWithExample(endpoint.id);
  const [typeId, setTypeId] = useState<string | null>(null);
  const [at] = useState(() => new Date(nowMs()).toISOString());
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const text = requestPreview({
    url: draft.url,
    format: draft.payloadFormat,
    signature: draft.signature,
    headers: headersOf(draft.headers),
    secretHeaderNames: endpoint.secretHeaderNames,
    workspaceId: workspace.id,
    environmentId: endpoint.environmentId,
    type: type?.name ?? 'order.created',
    payload: exampleText(type),
    at,
  });
  return (
    <Stack gap="xs" maw={760}>
      <Group gap="sm" justify="space-between">
        <Text size="sm">This is what will be sent.</Text>
        <Select
          aria-label="Event type of the preview"
          searchable
          allowDeselect={false}
          data={types.map(({ id, name }) => ({ value: id, label: name }))}
          value={type?.id ?? null}
          onChange={setTypeId}
        />
      </Group>
      <CodeBlock text={text} what="the request" />
    </Stack>
  );
}
