import { Button, Group } from '@mantine/core';

type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isRefetching: boolean;
  fetchNextPage: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
};

/** How much of a list is shown, the way to older rows where scrolling does not load them, and to newer ones. */
export function ListFooter({ count, list }: { count: number; list: Pages }) {
  return (
    <Group justify="space-between">
      <span>
        {count.toLocaleString('en')} shown, newest first · {list.hasNextPage ? '' : 'no older ones'}
        {list.hasNextPage ? (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load older ones
          </Button>
        ) : null}
      </span>
      <Button variant="subtle" size="compact-xs" loading={list.isRefetching} onClick={() => void list.refetch()}>
        Refresh
      </Button>
    </Group>
  );
}
