import type { Application } from '../../../client/resources.ts';
import { Id } from '../../../components/id.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import type { Column } from '../../../components/table-columns.ts';
import type { HrefOf } from '../../place.ts';

export const customerColumns = (hrefOf: HrefOf): Column<Application>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(140px, 2fr)',
    cell: ({ id, name }) => <RowLink href={hrefOf('customers', id)}>{name}</RowLink>,
  },
  {
    id: 'externalId',
    header: 'External id',
    width: 'minmax(100px, 1fr)',
    cell: ({ externalId }) => (externalId === null ? <span className="soft">–</span> : <Id value={externalId} />),
  },
  { id: 'id', header: 'Id', width: '140px', from: 'sm', cell: ({ id }) => <Id value={id} short /> },
  {
    id: 'created',
    header: 'Created',
    width: '90px',
    from: 'sm',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
