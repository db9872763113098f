import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { EndpointsPage } from '../pages/endpoints-page.tsx';
import type { View } from '../view.ts';
import { PageBoundary } from './page-boundary.tsx';

const EndpointPage = lazy(async () => ({ default: (await import('../pages/endpoint-page.tsx')).EndpointPage }));
const DeliveryPage = lazy(async () => ({ default: (await import('../pages/delivery-page.tsx')).DeliveryPage }));
const EventTypesPage = lazy(async () => ({ default: (await import('../pages/event-types-page.tsx')).EventTypesPage }));
const MessagesPage = lazy(async () => ({ default: (await import('../pages/messages-page.tsx')).MessagesPage }));
const MessagePage = lazy(async () => ({ default: (await import('../pages/message-page.tsx')).MessagePage }));
const StatisticsPage = lazy(async () => ({ default: (await import('../pages/statistics-page.tsx')).StatisticsPage }));
const ActivityPage = lazy(async () => ({ default: (await import('../pages/activity-page.tsx')).ActivityPage }));
const VerifierPage = lazy(async () => ({ default: (await import('../verifier/verifier-page.tsx')).VerifierPage }));

export function CurrentPage({ view }: { view: View }) {
  return (
    <PageBoundary>
      <Suspense fallback={<Skeleton height={120} />}>{contentOf(view)}</Suspense>
    </PageBoundary>
  );
}

function contentOf({ page, id, tab }: View) {
  switch (page) {
    case 'endpoints':
      return id === null ? <EndpointsPage /> : <EndpointPage id={id} tab={tab} />;
    case 'deliveries':
      return id === null ? <EndpointsPage /> : <DeliveryPage id={id} />;
    case 'messages':
      return id === null ? <MessagesPage /> : <MessagePage id={id} />;
    case 'event-types':
      return <EventTypesPage />;
    case 'statistics':
      return <StatisticsPage />;
    case 'activity':
      return <ActivityPage />;
    case 'verifier':
      return <VerifierPage />;
  }
}
