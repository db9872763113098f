import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { type Transformation, TransformationEditor } from '../../components/transformation/transformation-editor.tsx';
import { eventTypesQuery, useChangeEndpoint } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { useSamples } from '../use-samples.ts';

/** The endpoint's transformation: code that makes the sent request from a message. */
export function TransformationTab({ endpoint: { id, config } }: { endpoint: Endpoint }) {
  const { data: types = [] } = useQuery(eventTypesQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const type = types.find((one) => one.id === chosen) ?? types[0];
  const samples = useSamples(type && { name: type.name, example: type.example });
  const update = useChangeEndpoint(id);
  const save = (next: Transformation | undefined) =>
    update.mutateAsync(({ config: { transformation: _, ...rest } }) => ({
      config: { ...rest, ...(next && { transformation: next }) },
    }));
  const run = async (code: string, payload: string) => {
    const fields = { language: 'javascript' as const, code, endpointId: id, ...(type && { eventTypeId: type.id }) };
    const { data } = await client.POST('/api/portal/transformations/test', {
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
      {...{ samples, run }}
      save={useMay('endpoints:write') ? save : undefined}
    />
  );
}
