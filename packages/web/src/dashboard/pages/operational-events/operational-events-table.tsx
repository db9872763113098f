import { Paper, Switch, Table, Text } from '@mantine/core';
import type { OperationalEvent } from '../../../client/resources.ts';

type Props = {
  events: readonly OperationalEvent[];
  /** The names of the operational events that the endpoint receives. */
  told: ReadonlySet<string>;
  isEditor: boolean;
  onToggle: (event: OperationalEvent, on: boolean) => void;
};

/** A switch for each operational event, with a sentence on when Posthorn sends it. */
export function OperationalEventsTable({ events, told, isEditor, onToggle }: Props) {
  return (
    <Paper withBorder bg="var(--surface-raised)">
      <Table aria-label="Operational events" verticalSpacing={8} horizontalSpacing="sm" layout="fixed">
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.name}>
              <Table.Td w={52} valign="top">
                <Switch
                  size="xs"
                  aria-label={`Send ${event.name}`}
                  checked={told.has(event.name)}
                  disabled={!isEditor}
                  onChange={({ currentTarget }) => onToggle(event, currentTarget.checked)}
                />
              </Table.Td>
              <Table.Td>
                <span className="mono">{event.name}</span>
                <Text size="sm" c="dimmed">
                  {event.description}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
