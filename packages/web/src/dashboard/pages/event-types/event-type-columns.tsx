import type { Environment, EventType } from '../../../client/resources.ts';
import { Id } from '../../../components/id.tsx';
import type { Column } from '../../../components/table-columns.ts';
import type { Place } from '../../place.ts';
import { EventTypeMenu } from './event-type-menu.tsx';
import { PublishSwitch } from './publish-switch.tsx';

/** The type and its description, then a column for each environment. A narrow window shows the present one alone. */
export function eventTypeColumns(
  { environments, environment }: Place,
  { onPrecheck, onSchema }: Record<'onPrecheck' | 'onSchema', (eventType: EventType) => void>,
): Column<EventType>[] {
  return [
    {
      id: 'name',
      header: 'Event type',
      width: 'minmax(150px, 2fr)',
      sortBy: ({ name }) => name,
      cell: ({ name }) => <Id value={name} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(80px, 2fr)',
      from: 'md',
      cell: ({ description }) => description || <span className="soft">–</span>,
    },
    ...environments.map((one) => environmentColumn(one, one.id === environment.id)),
    {
      id: 'actions',
      header: '',
      width: '28px',
      cell: (eventType) => <EventTypeMenu eventType={eventType} onPrecheck={onPrecheck} onSchema={onSchema} />,
    },
  ];
}

function environmentColumn(environment: Environment, isPresent: boolean): Column<EventType> {
  return {
    id: environment.id,
    header: environment.name,
    width: 'minmax(90px, 1fr)',
    ...(isPresent ? {} : { from: 'sm' }),
    cell: (eventType) => <PublishSwitch eventType={eventType} environment={environment} />,
  };
}
