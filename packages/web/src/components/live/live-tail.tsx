import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { DeliveryStatusChip } from '../delivery-status-chip.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { type NewestQuery, useLiveRows, type Watch } from './use-live-rows.ts';

type Props = {
  /** The name of the list for screen readers. */
  label: string;
  newest: NewestQuery;
  watch: Watch;
  /** The text of an empty list. */
  empty: string;
  /** Makes the link to a delivery's page. */
  link: (delivery: Delivery) => ReactNode;
};

/**
 * The newest deliveries, with the time of their last change. No row moves under the pointer: new ones wait until it leaves.
 */
export function LiveTail({ label, newest, watch, empty, link }: Props) {
  const { shown, waiting, isLive, hold, release } = useLiveRows(newest, watch);
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label={label}>
      <Group justify="space-between" mb="sm" h={24}>
        <Title order={2} fz="md" fw={500}>
          {t('Live')}
        </Title>
        {waiting.length > 0 ? (
          <Button size="compact-xs" variant="light" radius="xl" onClick={release}>
            {t('{count} new', { count: waiting.length })}
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {isLive ? t('● connected') : t('○ connecting')}
          </Text>
        )}
      </Group>
      {newest.error ? (
        <ErrorNotice
          title={t('The list could not be loaded')}
          error={newest.error}
          onRetry={() => void newest.refetch()}
        />
      ) : null}
      {newest.isLoading ? <Skeleton height={120} /> : null}
      {!newest.isLoading && shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : null}
      <Stack gap="sm" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
        {shown.map((delivery) => (
          <Group key={delivery.id} gap="sm" wrap="nowrap" fz="sm">
            <DeliveryStatusChip delivery={delivery} />
            {link(delivery)}
            <Text size="xs" c="dimmed" ml="auto" flex="none">
              <RelativeTime at={delivery.updatedAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
