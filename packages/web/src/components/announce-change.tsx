import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorWords } from '../client/refusal-words.ts';
import { t } from '../language/language.ts';

/** Long enough to reach the button by keyboard or with a screen reader. */
const UNDO_MS = 30_000;

/** Says what was changed, with a button that undoes it. A later change with the same `id` takes its place. */
export function announceChange({ id, words, undo }: { id: string; words: string; undo: () => void }): void {
  const undoAndHide = () => {
    notifications.hide(id);
    undo();
  };
  notifications.hide(id);
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words}
        </Text>
        <Button variant="subtle" flex="none" onClick={undoAndHide}>
          {t('Undo')}
        </Button>
      </Group>
    ),
  });
}

/** Shows why nothing was changed. */
export function announceFailure(error: unknown): void {
  announceError(t('Nothing was changed'), error);
}

/**
 * Shows that a new endpoint was created without its first subscriptions, and why. The form must not be sent again,
 * because that would create a second endpoint.
 */
export function announceUnsubscribed(error: unknown): void {
  announceError(t('The endpoint was added, but not subscribed to the event types'), error);
}

/** Shows that a new workspace was created although its page did not open, and why. */
export function announceUnopened(error: unknown): void {
  announceError(t('The workspace was created, but not opened'), error);
}

function announceError(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: errorWords(error) });
}
