import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Delivery } from '../../../client/resources.ts';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useLiveDeliveries } from './use-live-deliveries.ts';

/** The newest deliveries as they happen. No row moves under the pointer: new ones wait until it leaves. */
export function LiveTail() {
  const { shown, waiting, isLive, isLoading, error, hold, release } = useLiveDeliveries();
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Live deliveries">
      <Group justify="space-between" mb="sm" h={24}>
        <Title order={2} fz="md" fw={500}>
          Live
        </Title>
        {waiting.length > 0 ? (
          <Button size="compact-xs" variant="light" radius="xl" onClick={release}>
            {waiting.length} new
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {isLive ? '● connected' : '○ connecting'}
          </Text>
        )}
      </Group>
      {error ? <ErrorNotice title="The list could not be loaded" error={error} /> : null}
      {isLoading ? <Skeleton height={120} /> : null}
      {!isLoading && shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          Deliveries appear here as they happen.
        </Text>
      ) : null}
      <Stack gap="sm" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
        {shown.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </Stack>
    </Paper>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  return (
    <Group gap="sm" wrap="nowrap" fz="sm">
      <DeliveryStatusChip delivery={delivery} />
      <TextLink
        truncate="end"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/deliveries/$deliveryId"
        params={{ deliveryId: delivery.id }}
      >
        {delivery.eventTypeName ?? 'direct'}
      </TextLink>
      <Text size="xs" c="dimmed" ml="auto" flex="none">
        <RelativeTime at={delivery.createdAt} />
      </Text>
    </Group>
  );
}
