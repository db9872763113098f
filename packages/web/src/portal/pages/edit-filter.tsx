import { client } from '../../client/api.ts';
import { FilterEditor } from '../../components/filter/filter-editor.tsx';
import { useReadAgain } from '../portal-queries.ts';
import { useSamples } from '../use-samples.ts';

type Props = {
  endpointId: string;
  type: { id: string; name: string; example?: unknown };
  filter: object | null;
  onSaved: () => void;
};

/** Edits the filter of one of the customer's subscriptions. */
export function EditFilter({ endpointId, type, filter, onSaved }: Props) {
  const readAgain = useReadAgain();
  const samples = useSamples({ name: type.name, example: type.example });
  const save = async (text: string) => {
    await client.PATCH('/api/portal/endpoints/{id}/subscriptions/{eventTypeId}', {
      params: { path: { id: endpointId, eventTypeId: type.id } },
      body: { filter: {} },
      bodySerializer: () => `{"filter":${text}}`,
    });
    await readAgain();
    onSaved();
  };
  const test = async (text: string, payload: string) => {
    const { data } = await client.POST('/api/portal/filters/test', {
      body: { filter: {}, payload: null },
      bodySerializer: () => `{"filter":${text},"payload":${payload}}`,
    });
    if (data === undefined) throw new Error('The answer is not a result');
    return data;
  };
  return <FilterEditor filter={filter} samples={samples} test={test} save={save} />;
}
