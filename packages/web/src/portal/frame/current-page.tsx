import { Skeleton } from '@mantine/core';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { t } from '../../language/language.ts';
import { EndpointsPage } from '../pages/endpoints-page.tsx';
import type { View } from '../view.ts';

const EndpointPage = lazy(async () => ({ default: (await import('../pages/endpoint-page.tsx')).EndpointPage }));
const DeliveryPage = lazy(async () => ({ default: (await import('../pages/delivery-page.tsx')).DeliveryPage }));
const EventTypesPage = lazy(async () => ({ default: (await import('../pages/event-types-page.tsx')).EventTypesPage }));
const MessagesPage = lazy(async () => ({ default: (await import('../pages/messages-page.tsx')).MessagesPage }));
const MessagePage = lazy(async () => ({ default: (await import('../pages/message-page.tsx')).MessagePage }));
const StatisticsPage = lazy(async () => ({ default: (await import('../pages/statistics-page.tsx')).StatisticsPage }));
const AlertsPage = lazy(async () => ({ default: (await import('../pages/alerts-page.tsx')).AlertsPage }));
const ActivityPage = lazy(async () => ({ default: (await import('../pages/activity-page.tsx')).ActivityPage }));
const AgentPage = lazy(async () => ({ default: (await import('../pages/agent-page.tsx')).AgentPage }));
const VerifierPage = lazy(async () => ({ default: (await import('../verifier/verifier-page.tsx')).VerifierPage }));

/** The page of the view. If a page fails, the frame around it stays. */
export function CurrentPage({ view }: { view: View }) {
  return (
    <CatchBoundary getResetKey={() => `${view.page} ${view.id} ${view.tab}`} errorComponent={FailedPage}>
      <Suspense fallback={<Skeleton height={120} />}>{contentOf(view)}</Suspense>
    </CatchBoundary>
  );
}

function FailedPage({ error, reset }: ErrorComponentProps) {
  return <ErrorNotice title={t('This page could not be shown')} error={error} onRetry={reset} />;
}

/**
 * A new key resets the state for another endpoint, delivery or message: live rows and an opened body belong to the
 * first.
 */
function contentOf({ page, id, tab }: View) {
  switch (page) {
    case 'endpoints':
      return id === null ? <EndpointsPage /> : <EndpointPage key={id} id={id} tab={tab} />;
    case 'deliveries':
      return id === null ? <EndpointsPage /> : <DeliveryPage key={id} id={id} />;
    case 'messages':
      return id === null ? <MessagesPage /> : <MessagePage key={id} id={id} />;
    case 'event-types':
      return <EventTypesPage />;
    case 'statistics':
      return <StatisticsPage />;
    case 'alerts':
      return <AlertsPage />;
    case 'activity':
      return <ActivityPage />;
    case 'verifier':
      return <VerifierPage />;
    case 'agent':
      return <AgentPage />;
  }
}
