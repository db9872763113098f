import { Alert, Grid, Group, List, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isUnread } from '../../../client/api-error.ts';
import type { Event } from '../../../client/resources.ts';
import { DeliveryCounts } from '../../../components/delivery-counts.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Id } from '../../../components/id.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { PayloadPanel } from '../../../components/payload-panel.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { utcWords } from '../../../components/time-words.ts';
import { UnreadPage } from '../../../components/unread-page.tsx';
import { CustomerLink } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { DASHBOARD_TEXTS } from '../../reader-texts.ts';
import { TypeTitle } from '../../type-name.tsx';
import { customers, isWide } from '../../wide-event.tsx';
import { eventPayloadQuery, eventQuery } from '../events/event-queries.ts';
import { EVENT_STATUS_WORDS } from '../events/event-statuses.ts';
import { CancelEvent } from './cancel-event.tsx';
import { ErasePayload } from './erase-payload.tsx';
import { Trace } from './trace.tsx';

const route = getRouteApi('/w/$workspace/$environment/events/$eventId');

/** One accepted event: the endpoints that got it, those that did not and why, and its payload. */
export function EventPage() {
  const { eventId } = route.useParams();
  const { workspace } = usePlace();
  const { data: event, error, refetch } = useQuery(eventQuery(workspace.id, eventId));
  if (isUnread({ data: event, error })) {
    return (
      <UnreadPage
        of="event"
        error={error}
        onRetry={() => void refetch()}
        why="The address may be mistyped, or the event was deleted at the end of the retention."
        wayOn={
          <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/events">
            All events
          </ButtonLink>
        }
      />
    );
  }
  if (event === undefined) return <EventSkeleton />;
  return (
    <>
      <PageHeader
        name={`Event ${event.eventTypeName ?? event.id}`}
        title={<TypeTitle of={event} noun="event" />}
        line={<Id value={event.id} />}
        actions={
          // A new key resets the state for another event: an erased payload belongs to the first one.
          <Group key={event.id} gap="sm">
            <ErasePayload event={event} />
            <CancelEvent event={event} />
          </Group>
        }
      />
      <Stack gap="lg">
        <Facts event={event} />
        {isWide(event) ? (
          <Alert color="yellow" title={`This event was sent to ${customers(event.reachedApplications)}`}>
            It named no customer, so every subscribed endpoint got it. If it belongs to one customer, its producer must
            name it. You can refuse such events in the settings of the environment.
          </Alert>
        ) : null}
        <SchemaErrors errors={event.schemaErrors} />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Trace event={event} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <PayloadPanel key={event.id} query={eventPayloadQuery(workspace.id, event.id)} texts={DASHBOARD_TEXTS} />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

/** The errors of the payload against the schema of its type. Empty if it matches or was not checked. */
function SchemaErrors({ errors }: { errors: Event['schemaErrors'] }) {
  if (errors === null || errors.length === 0) return null;
  return (
    <Alert color="yellow" title="The payload does not fit the schema of its type">
      <List size="sm">
        {errors.map((error) => (
          <List.Item key={error} style={{ overflowWrap: 'anywhere' }}>
            {error}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Facts({ event }: { event: Event }) {
  const hasKey = event.idempotencyKey !== event.id;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" verticalSpacing="sm">
      <Fact name="Status">
        <Group gap="md">
          {EVENT_STATUS_WORDS[event.status]}
          <DeliveryCounts counts={event.deliveries} />
        </Group>
      </Fact>
      <Fact name="Accepted">
        <RelativeTime at={event.createdAt} />
      </Fact>
      {event.deliverAt === null ? null : (
        <Fact name={event.status === 'scheduled' ? 'Will be delivered' : 'Scheduled for'}>
          <RelativeTime at={event.deliverAt} everyMs={1_000} />
          <Text size="xs" c="dimmed">
            {utcWords(event.deliverAt).slice(0, 19)} UTC
          </Text>
        </Fact>
      )}
      {event.orderingKey === null ? null : (
        <Fact name="Ordering key">
          <Id value={event.orderingKey} />
        </Fact>
      )}
      <Fact name="Idempotency key">
        {hasKey ? <Id value={event.idempotencyKey} /> : <Text inherit>none was sent</Text>}
      </Fact>
      <Fact name="Customer">
        {event.applicationId === null ? <Text inherit>none was named</Text> : <CustomerLink id={event.applicationId} />}
        {event.reachedApplications > 0 ? (
          <Text size="xs" c="dimmed">{`sent to ${customers(event.reachedApplications)}`}</Text>
        ) : null}
      </Fact>
      {event.source ? (
        <Fact name="Record">
          <Id value={`${event.source.topic}/${event.source.partition}/${event.source.offset}`} />
        </Fact>
      ) : null}
    </SimpleGrid>
  );
}

function EventSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={24} width={220} />
      <Skeleton height={40} />
      <Skeleton height={280} />
    </Stack>
  );
}
