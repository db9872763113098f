import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import type { EndpointType } from '../../client/resources.ts';
import type { NewEndpointBody } from '../../components/destination/new-endpoint-draft.ts';
import { NewEndpoint } from '../../components/new-endpoint.tsx';
import { FETCHED } from '../../components/pull/fetched.ts';
import { SideSheet } from '../../components/side-sheet.tsx';
import { t } from '../../language/language.ts';
import { endpointTypesQuery, eventTypesQuery, useReadAgain } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';

/** Creates an endpoint of the customer, with its first subscriptions. */
export function AddEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('Add endpoint')}>
      {opened ? <AddEndpointForm /> : null}
    </SideSheet>
  );
}

function AddEndpointForm() {
  const { data: types = [] } = useQuery(eventTypesQuery());
  const { data: kinds = [] } = useQuery(endpointTypesQuery());
  return (
    <NewEndpoint
      kinds={kinds}
      types={types}
      words={WORDS}
      nameOf={nameOf}
      aboutOf={({ type, description }) => (type === FETCHED ? FETCHED_WORDS : description)}
      add={async (body: NewEndpointBody) => (await client.POST('/api/portal/endpoints', { body })).data}
      subscribe={(id, eventTypeIds) =>
        client.POST('/api/portal/endpoints/{id}/subscriptions', { params: { path: { id } }, body: { eventTypeIds } })
      }
      onSettled={useReadAgain()}
      onAdded={({ id, pullKey }) =>
        go(pullKey === null ? hrefOf('endpoints', id) : hrefOf('endpoints', id, 'fetching'))
      }
    />
  );
}

const WORDS = {
  kind: t('How it gets messages'),
  url: t('Address'),
  types: t('It gets the messages of these types.'),
};

/** Customer-friendly names for the two most common kinds of endpoints. */
function nameOf({ type, label, hasUrl }: EndpointType): string {
  if (hasUrl) return t('Sent to your server');
  return type === FETCHED ? t('Fetched by a program') : label;
}

const FETCHED_WORDS = t(
  'Your program fetches the messages with a key, which is shown once. It needs no public address.',
);
