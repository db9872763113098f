import { Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import {
  type Transformation,
  TransformationEditor,
} from '../../../components/transformation/transformation-editor.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';
import { useSamples } from './use-samples.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** The endpoint's transformation: code that makes the sent request from an event. */
export function TransformationTab({ endpoint }: { endpoint: Endpoint }) {
  if (mayChange(usePlace())) return <Editor endpoint={endpoint} />;
  const { transformation } = endpoint.config;
  if (transformation === undefined)
    return <Text size="sm">Events are sent as they are, without a transformation.</Text>;
  return <CodeBlock text={transformation.code} what="the transformation" maxHeight={480} />;
}

function Editor({ endpoint: { id, config } }: { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { types } = useTypesWithExample(id);
  const [chosen, setChosen] = useState<string | null>(null);
  const type = types.find((one) => one.id === chosen) ?? types[0];
  const samples = useSamples(type);
  const update = useChangeEndpoint(id);
  const save = (next: Transformation | undefined) =>
    update.mutateAsync(({ config: { transformation: _, ...rest } }) => ({
      config: { ...rest, ...(next && { transformation: next }) },
    }));
  const run = async (code: string, payload: string) => {
    const fields = { language: 'javascript' as const, code, endpointId: id, ...(type && { eventTypeId: type.id }) };
    const { data } = await client.POST('/api/workspaces/{workspaceId}/transformations/test', {
      params: { path: { workspaceId: workspace.id } },
      body: fields,
      bodySerializer: () => `${JSON.stringify(fields).slice(0, -1)},"payload":${payload}}`,
    });
    if (data === undefined) throw new Error('The answer is empty');
    return data;
  };
  return (
    <TransformationEditor
      saved={config.transformation}
      types={types}
      typeId={type?.id}
      onChooseType={setChosen}
      {...{ samples, run, save }}
    />
  );
}
