import { Menu } from '@mantine/core';
import type { Endpoint } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { EndpointState } from '../../../components/endpoint-state.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { useToggleEndpoint } from './use-toggle-endpoint.ts';

type Actions = { isEditor: boolean; onDelete: (endpoint: Endpoint) => void; onRecover: (endpoint: Endpoint) => void };

export function endpointColumns(actions: Actions): Column<Endpoint>[] {
  return [
    {
      id: 'url',
      header: 'URL',
      width: 'minmax(180px, 3fr)',
      sortBy: ({ url }) => url,
      cell: ({ id, url }) => (
        <>
          <TextLink
            className="mono"
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/endpoints/$endpointId"
            params={{ endpointId: id }}
            onClick={(event) => event.stopPropagation()}
          >
            {url}
          </TextLink>{' '}
          <CopyButton value={url} what="the URL" />
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: '100px',
      sortBy: ({ isActive, health }) => (isActive ? health : 'inactive'),
      cell: (row) => <EndpointState endpoint={row} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(120px, 2fr)',
      from: 'sm',
      cell: ({ description }) => description || <span className="soft">–</span>,
    },
    {
      id: 'created',
      header: 'Created',
      width: '90px',
      from: 'md',
      sortBy: ({ id }) => id,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    ...(actions.isEditor ? [actionColumn(actions)] : []),
  ];
}

function actionColumn({ onDelete, onRecover }: Actions): Column<Endpoint> {
  return {
    id: 'actions',
    header: '',
    width: '28px',
    cell: (row) => <EndpointMenu endpoint={row} onDelete={onDelete} onRecover={onRecover} />,
  };
}

function EndpointMenu({ endpoint, onDelete, onRecover }: Omit<Actions, 'isEditor'> & { endpoint: Endpoint }) {
  const toggle = useToggleEndpoint();
  return (
    <RowMenu of={endpoint.url}>
      <Menu.Item onClick={() => toggle(endpoint)}>{endpoint.isActive ? 'Deactivate' : 'Activate'}</Menu.Item>
      <Menu.Item onClick={() => onRecover(endpoint)}>Recover …</Menu.Item>
      <Menu.Item color="red" onClick={() => onDelete(endpoint)}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
}
