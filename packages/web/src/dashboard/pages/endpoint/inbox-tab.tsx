import { Box, Group, Paper, SimpleGrid, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery, Endpoint } from '../../../client/resources.ts';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Marked } from '../../../components/test-mark.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { typeName } from '../../type-name.tsx';
import { ingestCommand } from '../deliveries/ingest-command.ts';
import classes from './inbox.module.css';
import { InboxDelivery } from './inbox-delivery.tsx';
import { newestDeliveriesQuery } from './newest-deliveries-query.ts';
import { PlaygroundAnswer } from './playground-answer.tsx';

const EVERY_MS = 2_000;

const route = getRouteApi('/w/$workspace/$environment/endpoints/$endpointId');

/** The requests that a playground received, and its next responses. */
export function InboxTab({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isFetchedAfterMount } = useQuery(
    newestDeliveriesQuery(place.workspace.id, endpoint.id, EVERY_MS),
  );
  // The newest of the first answer stays until another one is chosen: each read of attempts is in the audit log.
  const [shown, setShown] = useState<Delivery>();
  if (error && data === undefined) {
    return <ErrorNotice title="The inbox could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  const wanted = search.delivery ?? shown?.id;
  const chosen = data?.deliveries.find(({ id }) => id === wanted) ?? shown ?? data?.deliveries[0];
  if (isFetchedAfterMount && chosen?.id !== shown?.id) setShown(chosen);
  return (
    <Stack gap="md">
      {mayChange(place) ? <PlaygroundAnswer endpoint={endpoint} /> : null}
      {data === undefined ? <Skeleton height={160} /> : null}
      {data?.deliveries.length === 0 ? (
        <FirstUse
          title="Nothing has arrived yet"
          sentence="Send an event whose type this playground subscribes to, or send a test."
          curl={ingestCommand(window.location.origin, endpoint.applicationId ?? '*')}
        />
      ) : null}
      {data === undefined || chosen === undefined ? null : (
        <Box className={classes.columns}>
          <Arrivals
            deliveries={data.deliveries}
            chosen={chosen.id}
            onChoose={(delivery) =>
              void navigate({ search: { tab: 'inbox', delivery }, replace: true, resetScroll: false })
            }
          />
          <InboxDelivery key={chosen.id} delivery={chosen} endpoint={endpoint} />
        </Box>
      )}
    </Stack>
  );
}

type ArrivalsProps = { deliveries: readonly Delivery[]; chosen: string; onChoose: (id: string) => void };

function Arrivals({ deliveries, chosen, onChoose }: ArrivalsProps) {
  return (
    <Paper withBorder component="ol" aria-label="Arrived" className={classes.arrivals}>
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <UnstyledButton
            className={classes.arrival}
            data-chosen={delivery.id === chosen || undefined}
            aria-pressed={delivery.id === chosen}
            onClick={() => onChoose(delivery.id)}
          >
            <SimpleGrid cols={1} spacing={4}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Marked of={delivery}>
                  <Text size="sm" truncate="end">
                    {typeName(delivery)}
                  </Text>
                </Marked>
                <Text size="xs" c="dimmed" flex="none">
                  <RelativeTime at={delivery.createdAt} />
                </Text>
              </Group>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <DeliveryStatusChip delivery={delivery} />
                <Text size="xs" c="dimmed" flex="none">
                  {delivery.totalAttempts} {delivery.totalAttempts === 1 ? 'attempt' : 'attempts'}
                </Text>
              </Group>
            </SimpleGrid>
          </UnstyledButton>
        </li>
      ))}
    </Paper>
  );
}
