import { Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isUnread } from '../../../client/api-error.ts';
import { useShownInLists } from '../../../client/changed-rows.ts';
import type { Attempt, DeliveryDetail } from '../../../client/resources.ts';
import { AttemptView } from '../../../components/attempt/attempt-view.tsx';
import { Timeline } from '../../../components/attempt/timeline.tsx';
import { ENDPOINT_EVERY_MS, isDeferred, WhyItWaits } from '../../../components/attempt/why-it-waits.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { Fact } from '../../../components/fact.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Id } from '../../../components/id.tsx';
import { ButtonLink, TextLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { PayloadPanel } from '../../../components/payload-panel.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { UnreadPage } from '../../../components/unread-page.tsx';
import { CustomerOfEndpoint } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { DASHBOARD_TEXTS } from '../../reader-texts.ts';
import { TypeTitle } from '../../type-name.tsx';
import { deliveryQuery, payloadQuery } from '../deliveries/delivery-queries.ts';
import { endpointQuery } from '../endpoints/endpoint-queries.ts';
import { DeliveryActions } from './delivery-actions.tsx';

const route = getRouteApi('/w/$workspace/$environment/deliveries/$deliveryId');

/** One event's delivery to one endpoint: the attempts, the responses, and the possible actions. */
export function DeliveryPage() {
  const { deliveryId } = route.useParams();
  const { workspace } = usePlace();
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(workspace.id, deliveryId));
  if (isUnread({ data: delivery, error })) {
    return (
      <UnreadPage
        of="delivery"
        error={error}
        onRetry={() => void refetch()}
        why="The address may be mistyped, or the delivery was deleted with its event at the end of the retention."
        wayOn={
          <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/deliveries">
            All deliveries
          </ButtonLink>
        }
      />
    );
  }
  if (delivery === undefined) return <DeliverySkeleton />;
  // A new key resets the state for another delivery: a shown payload, which the audit log has, belongs to the first
  // one.
  return <LoadedDelivery key={delivery.id} delivery={delivery} />;
}

function LoadedDelivery({ delivery }: { delivery: DeliveryDetail }) {
  const { workspace } = usePlace();
  const { attempt: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const attempts = delivery.attempts ?? NO_ATTEMPTS;
  useShownInLists(delivery);
  const attempt = attempts.find(({ id }) => id === chosen) ?? attempts.at(-1);
  return (
    <>
      <PageHeader
        name={`Delivery ${delivery.eventTypeName ?? delivery.id}`}
        title={<TypeTitle of={delivery} noun="delivery" />}
        line={<Id value={delivery.id} />}
        actions={<DeliveryActions delivery={delivery} attempts={attempts} />}
      />
      <Stack gap="lg">
        <Facts delivery={delivery} />
        <Waits delivery={delivery} />
        <FailureAlert delivery={delivery} texts={DASHBOARD_TEXTS} />
        <Timeline
          delivery={delivery}
          attempts={attempts}
          chosen={attempt?.id}
          onChoose={(id) => void navigate({ search: { attempt: id }, replace: true, resetScroll: false })}
        />
        {attempt === undefined ? null : <AttemptView key={attempt.id} attempt={attempt} texts={DASHBOARD_TEXTS} />}
        <PayloadPanel query={payloadQuery(workspace.id, delivery.id)} texts={DASHBOARD_TEXTS} />
      </Stack>
    </>
  );
}

function Waits({ delivery }: { delivery: DeliveryDetail }) {
  const { workspace } = usePlace();
  const { data: endpoint } = useQuery({
    ...endpointQuery(workspace.id, delivery.endpointId),
    retry: false,
    enabled: isDeferred(delivery),
    refetchInterval: ENDPOINT_EVERY_MS,
  });
  return (
    <WhyItWaits
      delivery={delivery}
      endpoint={endpoint}
      noun="delivery"
      link={(deliveryId, words) => (
        <TextLink
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries/$deliveryId"
          params={{ deliveryId }}
        >
          {words}
        </TextLink>
      )}
    />
  );
}

const NO_ATTEMPTS: Attempt[] = [];

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <Group gap="xl" align="flex-start">
      <Fact name="Status">
        <DeliveryStatusChip delivery={delivery} />
      </Fact>
      <Fact name="Endpoint">
        <EndpointLink id={delivery.endpointId} />
      </Fact>
      <Fact name="Customer">
        <CustomerOfEndpoint endpointId={delivery.endpointId} />
      </Fact>
      <Fact name="Event">
        <EventLink id={delivery.eventId} />
      </Fact>
      <Fact name="Accepted">
        <RelativeTime at={delivery.createdAt} />
      </Fact>
    </Group>
  );
}

function EventLink({ id }: { id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <TextLink
        className="mono"
        truncate="end"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/events/$eventId"
        params={{ eventId: id }}
      >
        {id}
      </TextLink>
      <CopyButton value={id} what="the event’s id" />
    </Group>
  );
}

/** The endpoint's address, as a link to its page. If the endpoint is deleted, its id. */
function EndpointLink({ id }: { id: string }) {
  const { workspace } = usePlace();
  const { data } = useQuery({ ...endpointQuery(workspace.id, id), retry: false });
  const words = data === undefined ? id : addressOf(data);
  return (
    <TextLink
      className="mono"
      truncate="end"
      display="block"
      title={words}
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/endpoints/$endpointId"
      params={{ endpointId: id }}
    >
      {words}
    </TextLink>
  );
}

/** A placeholder in the shape of the page, until the delivery is loaded. */
function DeliverySkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={24} width={220} />
      <Skeleton height={40} />
      <Skeleton height={72} />
      <Skeleton height={280} />
    </Stack>
  );
}
