import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { FormChoice } from '../../../components/request/form-choice.tsx';
import { RequestPreview } from '../../../components/request/request-preview.tsx';
import { usePlace } from '../../place.ts';
import { headersOf } from './config-draft.ts';
import type { FieldsProps } from './config-fields.tsx';
import { useSamples } from './use-samples.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** The form of the body and the signature, with the request that they make. */
export function FormatFields({ draft, onChange, endpoint }: FieldsProps & { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { types } = useTypesWithExample(endpoint.id);
  const [typeId, setTypeId] = useState<string | null>(null);
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const samples = useSamples(type);
  const { payloadFormat: format, signature } = draft;
  return (
    <Stack gap="md" component="section" aria-label="Body and signature">
      <Title order={2}>Body and signature</Title>
      <FormChoice
        draft={{ format, signature }}
        endpoint={endpoint}
        onChange={(part) =>
          onChange({
            ...(part.format && { payloadFormat: part.format }),
            ...(part.signature && { signature: part.signature }),
          })
        }
      />
      <RequestPreview
        draft={{
          ...{ url: draft.url, format, signature, headers: headersOf(draft.headers) },
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
