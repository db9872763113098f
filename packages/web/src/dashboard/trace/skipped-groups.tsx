import { Accordion, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SkipReason } from '../../client/resources.ts';
import { TextLink } from '../../components/links.tsx';
import { AddressLine } from '../customer-name.tsx';
import { explainedReason, groupedByReason } from './skip-reasons.ts';

const STEP = 50;

export type Skipped = { endpointId: string; url: string; reason: SkipReason | null; detail: string };

type Props = {
  entries: readonly Skipped[];
  eventTypeName: string | null;
  /** True if there are more entries than these, so that the counts are lower bounds. */
  isPartial: boolean;
};

/** The endpoints that did not get an event, grouped by reason. Each group explains it, and links to the remedy. */
export function SkippedGroups({ entries, eventTypeName, isPartial }: Props) {
  return (
    <Accordion
      variant="contained"
      multiple
      chevronPosition="left"
      styles={{ item: { background: 'var(--surface-raised)' } }}
    >
      {groupedByReason(entries).map(({ reason, entries: group }) => (
        <Accordion.Item key={reason} value={reason}>
          <Accordion.Control py={0}>
            <Text size="sm">
              {group.length.toLocaleString('en')}
              {isPartial ? ' or more' : ''} {explainedReason(reason).words}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <SkippedList entries={group} reason={reason} eventTypeName={eventTypeName} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

type ListProps = { entries: readonly Skipped[]; reason: SkipReason; eventTypeName: string | null };

function SkippedList({ entries, reason, eventTypeName }: ListProps) {
  const [shown, setShown] = useState(STEP);
  const rest = entries.length - shown;
  return (
    <Stack gap="sm">
      {entries.slice(0, shown).map(({ endpointId, url, detail }) => (
        <Group key={endpointId} gap="xs" justify="space-between" align="flex-start">
          <Stack gap={0} miw={0} flex="1 1 220px">
            <AddressLine id={endpointId} url={url} />
            <Text size="xs" c="dimmed">
              {detail}
            </Text>
          </Stack>
          <RemedyLink reason={reason} endpointId={endpointId} eventTypeName={eventTypeName} />
        </Group>
      ))}
      {rest > 0 ? (
        <Button variant="subtle" w="fit-content" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(rest, STEP)} more of {entries.length.toLocaleString('en')}
        </Button>
      ) : null}
    </Stack>
  );
}

function RemedyLink(props: { reason: SkipReason; endpointId: string; eventTypeName: string | null }) {
  const { reason, endpointId, eventTypeName } = props;
  const { remedy } = explainedReason(reason);
  if (remedy === null) return null;
  if (remedy.page === 'event-types') {
    return (
      <TextLink
        fz="sm"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/event-types"
        search={{ search: eventTypeName ?? '' }}
      >
        {remedy.words}
      </TextLink>
    );
  }
  return (
    <TextLink
      fz="sm"
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/endpoints/$endpointId"
      params={{ endpointId }}
      search={remedy.page === 'subscriptions' ? { tab: 'subscriptions' } : {}}
    >
      {remedy.words}
    </TextLink>
  );
}
