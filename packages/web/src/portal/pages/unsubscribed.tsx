import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { subscriptionsQuery } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { hrefOf } from '../view.ts';

/** For an endpoint without subscriptions: says that it gets no messages, with a link to the event types. */
export function Unsubscribed({ endpoint, tab }: { endpoint: Endpoint; tab: string | undefined }) {
  const { data: subscriptions } = useQuery(subscriptionsQuery(endpoint.id));
  const mayChange = useMay('endpoints:write');
  const isSubscribed = subscriptions?.length !== 0 || endpoint.eventTypePatterns.length > 0;
  if (isSubscribed || !endpoint.isActive || tab === 'subscriptions') return null;
  return (
    <Alert color="yellow" mb="md" title={t('It gets no messages.')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t('It subscribes to no event type.')}</Text>
        {mayChange ? (
          <Button component="a" href={hrefOf('endpoints', endpoint.id, 'subscriptions')}>
            {t('Choose event types')}
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
