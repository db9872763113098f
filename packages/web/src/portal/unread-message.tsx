import { Button } from '@mantine/core';
import { UnreadPage } from '../components/unread-page.tsx';
import { t } from '../language/language.ts';
import { hrefOf } from './view.ts';

/** Shown if the page of a message, or of one of its deliveries, could not be read. */
export function UnreadMessage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <UnreadPage
      of="message"
      error={error}
      onRetry={onRetry}
      why={t('The address may be mistyped, or the message is older than what is kept.')}
      wayOn={
        <Button component="a" href={hrefOf('messages')}>
          {t('All messages')}
        </Button>
      }
    />
  );
}
