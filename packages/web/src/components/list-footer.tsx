import { Button, Group } from '@mantine/core';
import { t } from '../language/language.ts';

type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isRefetching: boolean;
  fetchNextPage: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
};

/** How much of a list is shown, a button for older rows where scrolling does not load them, and one for newer rows. */
export function ListFooter({ count, list }: { count: number; list: Pages }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <span>
        {list.hasNextPage ? (
          <>
            {t('{count} shown, newest first', { count })} ·{' '}
            <Button
              variant="subtle"
              size="compact-xs"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {t('Load older ones')}
            </Button>
          </>
        ) : (
          t('{count} shown, newest first · no older ones', { count })
        )}
      </span>
      <Button
        flex="none"
        variant="subtle"
        size="compact-xs"
        loading={list.isRefetching}
        onClick={() => void list.refetch()}
      >
        {t('Refresh')}
      </Button>
    </Group>
  );
}
