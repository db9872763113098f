import { Skeleton, Stack } from '@mantine/core';

/** The shape of the page, until its delivery is there. */
export function DeliverySkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={24} width={220} />
      <Skeleton height={40} />
      <Skeleton height={72} />
      <Skeleton height={280} />
    </Stack>
  );
}
