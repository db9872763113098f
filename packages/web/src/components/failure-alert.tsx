import { Alert, Text } from '@mantine/core';
import type { DeliveryDetail } from '../client/resources.ts';
import { type ReaderTexts, reasonWords } from './reader-texts.ts';
import { shownText } from './shown-text.ts';

/** Why a delivery ended without success. For a cancelling transformation, with the reason that it gave. */
export function FailureAlert({ delivery, texts }: { delivery: DeliveryDetail; texts: ReaderTexts }) {
  const { failureReason, cancelReason } = delivery;
  if (failureReason === null) return null;
  return (
    <Alert color="red">
      {reasonWords(delivery, texts)}
      {cancelReason === null ? null : (
        <Text mt="xs" fz="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {shownText(cancelReason, true).text}
        </Text>
      )}
    </Alert>
  );
}
