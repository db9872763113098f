import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { isUnread } from '../../client/api-error.ts';
import { DeliveryCounts } from '../../components/delivery-counts.tsx';
import { Fact } from '../../components/fact.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PayloadPanel, type PayloadQuery } from '../../components/payload-panel.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { t } from '../../language/language.ts';
import { MessageTitle } from '../message-name.tsx';
import { noDeliveryWords } from '../no-delivery-words.ts';
import { messageQuery } from '../portal-queries.ts';
import { PORTAL_TEXTS } from '../reader-texts.ts';
import { useMay } from '../session.ts';
import { UnreadMessage } from '../unread-message.tsx';
import { MessageDeliveries } from './message-deliveries.tsx';

/** One message: when it was accepted, the state of its deliveries, and its body if the session may read it. */
export function MessagePage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(messageQuery(id));
  const mayReadBody = useMay('payloads:read');
  if (isUnread({ data, error })) return <UnreadMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={160} />;
  return (
    <>
      <PageHeader
        name={data.eventTypeName ?? data.id}
        title={<MessageTitle of={data} />}
        line={<Id value={data.id} />}
      />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
          <Fact name={t('At your endpoints')}>
            <DeliveryCounts counts={data.deliveries} none={noDeliveryWords(data.status)} />
          </Fact>
          <Fact name={t('Accepted')}>
            <RelativeTime at={data.createdAt} />
          </Fact>
          {data.deliverAt === null ? null : (
            <Fact name={data.status === 'scheduled' ? t('Will be sent') : t('Scheduled for')}>
              <RelativeTime at={data.deliverAt} everyMs={1_000} />
            </Fact>
          )}
          <Fact name={t('Idempotency key')}>
            <Id value={data.idempotencyKey} />
          </Fact>
        </SimpleGrid>
        <MessageDeliveries message={data} />
        {mayReadBody ? <PayloadPanel query={bodyQuery(id)} texts={PORTAL_TEXTS} /> : null}
      </Stack>
    </>
  );
}

/** Reads the body of the message. That adds an entry to the activity log, so request it only to show it. */
function bodyQuery(id: string): PayloadQuery {
  return {
    queryKey: ['portal', t('message body'), id],
    queryFn: async () => {
      const params = { path: { id }, query: { include: 'payload' } } as const;
      const { data } = await client.GET('/api/portal/events/{id}', { params });
      return data?.payload ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  };
}
