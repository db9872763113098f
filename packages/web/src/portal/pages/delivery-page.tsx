import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { isUnread } from '../../client/api-error.ts';
import { useShownInLists } from '../../client/changed-rows.ts';
import type { DeliveryDetail } from '../../client/resources.ts';
import { AttemptView } from '../../components/attempt/attempt-view.tsx';
import { Timeline } from '../../components/attempt/timeline.tsx';
import { ENDPOINT_EVERY_MS, isDeferred, WhyItWaits } from '../../components/attempt/why-it-waits.tsx';
import { DeliveryStatusChip } from '../../components/delivery-status-chip.tsx';
import { addressOf } from '../../components/destination/address-of.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Fact } from '../../components/fact.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { t } from '../../language/language.ts';
import { MessageTitle } from '../message-name.tsx';
import { PortalLink } from '../portal-link.tsx';
import { deliveryQuery, endpointQuery, useReadAgain } from '../portal-queries.ts';
import { PORTAL_TEXTS } from '../reader-texts.ts';
import { useMay } from '../session.ts';
import { UnreadMessage } from '../unread-message.tsx';
import { hrefOf } from '../view.ts';

/** One message's delivery to one endpoint: the attempts, the responses, and a retry. */
export function DeliveryPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  if (isUnread({ data, error })) return <UnreadMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return <LoadedDelivery delivery={data} />;
}

function LoadedDelivery({ delivery }: { delivery: DeliveryDetail }) {
  const [chosen, setChosen] = useState<string>();
  const attempts = delivery.attempts ?? [];
  useShownInLists(delivery);
  const attempt = attempts.find(({ id }) => id === chosen) ?? attempts.at(-1);
  const readAgain = useReadAgain();
  const retry = api.useMutation('post', '/api/portal/deliveries/{id}/retry', { onSettled: readAgain });
  const mayRetry = useMay('deliveries:retry');
  // A test is sent only once.
  const retryButton =
    mayRetry && !delivery.isTest ? (
      <Button
        loading={retry.isPending}
        disabled={delivery.status === 'delivering'}
        onClick={() => retry.mutate({ params: { path: { id: delivery.id } } })}
      >
        {t('Retry')}
      </Button>
    ) : null;
  return (
    <>
      <PageHeader
        name={delivery.eventTypeName ?? delivery.id}
        title={<MessageTitle of={delivery} />}
        line={<Id value={delivery.id} />}
        actions={retryButton}
      />
      <Stack gap="lg">
        {retry.error ? <ErrorNotice title={t('Not retried')} error={retry.error} /> : null}
        <Facts delivery={delivery} />
        <Waits delivery={delivery} />
        <FailureAlert delivery={delivery} texts={PORTAL_TEXTS} />
        <Timeline delivery={delivery} attempts={attempts} chosen={attempt?.id} onChoose={setChosen} />
        {attempt === undefined ? null : <AttemptView key={attempt.id} attempt={attempt} texts={PORTAL_TEXTS} />}
      </Stack>
    </>
  );
}

function Waits({ delivery }: { delivery: DeliveryDetail }) {
  const mayReadEndpoints = useMay('endpoints:read');
  const { data: endpoint } = useQuery({
    ...endpointQuery(delivery.endpointId, false),
    retry: false,
    enabled: mayReadEndpoints && isDeferred(delivery),
    refetchInterval: ENDPOINT_EVERY_MS,
  });
  return (
    <WhyItWaits
      delivery={delivery}
      endpoint={endpoint}
      noun="message"
      link={(id, words) => <PortalLink href={hrefOf('deliveries', id)}>{words}</PortalLink>}
    />
  );
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const mayReadEndpoints = useMay('endpoints:read');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" verticalSpacing="sm">
      <Fact name={t('Status')}>
        <DeliveryStatusChip delivery={delivery} />
      </Fact>
      <Fact name={t('Your endpoint')}>
        {mayReadEndpoints ? <EndpointLink id={delivery.endpointId} /> : <Id value={delivery.endpointId} />}
      </Fact>
      <Fact name={t('Message')}>
        <PortalLink mono href={hrefOf('messages', delivery.eventId)}>
          {delivery.eventId}
        </PortalLink>
      </Fact>
      <Fact name={t('Accepted')}>
        <RelativeTime at={delivery.createdAt} />
      </Fact>
    </SimpleGrid>
  );
}

/** The endpoint's address. If the endpoint is deleted, its id. */
function EndpointLink({ id }: { id: string }) {
  const { data } = useQuery({ ...endpointQuery(id, false), retry: false });
  return (
    <PortalLink mono href={hrefOf('endpoints', id)}>
      {data === undefined ? id : addressOf(data)}
    </PortalLink>
  );
}
