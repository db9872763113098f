import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { EventType } from '../../../client/resources.ts';
import { RowMenu } from '../../../components/row-menu.tsx';
import { usePlace } from '../../place.ts';

type Props = {
  eventType: EventType;
  onPrecheck: (eventType: EventType) => void;
  onSchema: (eventType: EventType) => void;
};

/** What one can do with an event type. */
export function EventTypeMenu({ eventType, onPrecheck, onSchema }: Props) {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const showEvents = () =>
    void navigate({
      to: '/w/$workspace/$environment/events',
      params: { workspace: workspace.slug, environment: environment.slug },
      search: { type: eventType.name },
    });
  return (
    <RowMenu of={eventType.name}>
      <Menu.Item onClick={() => onSchema(eventType)}>Schema and portals …</Menu.Item>
      <Menu.Item onClick={() => onPrecheck(eventType)}>Precheck …</Menu.Item>
      <Menu.Item onClick={showEvents}>Show its events</Menu.Item>
    </RowMenu>
  );
}
