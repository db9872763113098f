import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { pairsOf } from '../../../components/draft.ts';
import { FormChoice } from '../../../components/request/form-choice.tsx';
import { RequestPreview } from '../../../components/request/request-preview.tsx';
import { usePlace } from '../../place.ts';
import type { EndpointForm } from './config-draft.ts';
import { useSamples } from './use-samples.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** The payload format and the signature, with a preview of the request. */
export function FormatFields({ form, endpoint }: { form: EndpointForm; endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { types } = useTypesWithExample(endpoint.id);
  const [typeId, setTypeId] = useState<string | null>(null);
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const samples = useSamples(type);
  const { url, config } = form.values;
  return (
    <Stack gap="md" component="section" aria-label="Body and signature">
      <Title order={2}>Body and signature</Title>
      <FormChoice
        draft={config}
        endpoint={endpoint}
        onChange={(part) => form.setFieldValue('config', (before) => ({ ...before, ...part }))}
      />
      <RequestPreview
        draft={{
          ...{ url, format: config.payloadFormat, signature: config.signature, headers: pairsOf(config.headers) },
          standardHeaders: endpoint.config.standardHeaders,
        }}
        endpoint={endpoint}
        workspaceId={workspace.id}
        types={types}
        typeId={type?.id}
        onChooseType={setTypeId}
        samples={samples}
      />
    </Stack>
  );
}
