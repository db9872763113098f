import type { CustomerRead } from '../../../client/resources.ts';
import { StateMark } from '../../../components/endpoint-mark.tsx';
import { Id } from '../../../components/id.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import type { Column } from '../../../components/table-columns.ts';
import type { HrefOf } from '../../place.ts';

/** The columns of the list of customers: who each customer is, and the health of its endpoints. */
export const customerColumns = (hrefOf: HrefOf): Column<CustomerRead>[] => [
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
    from: 'sm',
    cell: ({ externalId }) => (externalId === null ? <span className="soft">–</span> : <Id value={externalId} />),
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(96px, 130px)',
    cell: ({ health }) => <CustomerMark health={health} />,
  },
  {
    id: 'endpoints',
    header: 'Endpoints',
    width: '76px',
    from: 'sm',
    isNumeric: true,
    cell: ({ health }) => health?.endpoints ?? '–',
  },
  {
    id: 'undelivered',
    header: 'Given up, 24 h',
    width: '104px',
    from: 'sm',
    isNumeric: true,
    cell: ({ health }) => <Undelivered count={health?.undelivered} />,
  },
  {
    id: 'last',
    header: 'Last event',
    width: '90px',
    from: 'sm',
    cell: ({ health }) => <RelativeTime at={health?.lastEventAt ?? null} />,
  },
  { id: 'id', header: 'Id', width: '140px', from: 'md', cell: ({ id }) => <Id value={id} short /> },
  {
    id: 'created',
    header: 'Created',
    width: '90px',
    from: 'md',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

type Health = { health: CustomerRead['health'] };

/** Failing endpoints take precedence over degraded ones. */
function CustomerMark({ health }: Health) {
  if (health === undefined) return <span className="soft">–</span>;
  const { endpoints, failing, degraded } = health;
  if (failing > 0) return <StateMark state="failing" words={`${failing} failing`} />;
  if (degraded > 0) return <StateMark state="degraded" words={`${degraded} degraded`} />;
  return endpoints === 0 ? <span className="soft">No endpoint</span> : <span className="soft">No failure</span>;
}

function Undelivered({ count = 0 }: { count: number | undefined }) {
  return <span style={count > 0 ? { color: 'var(--failed-ink)' } : {}}>{count}</span>;
}
