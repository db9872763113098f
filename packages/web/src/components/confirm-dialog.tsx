import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';
import { ErrorNotice } from './error-notice.tsx';

type ConfirmContentProps = {
  onClose: () => void;
  /** What will happen, with the numbers: "Its 3 subscriptions end, and 12 open deliveries fail." */
  children: ReactNode;
  /** The button's words say what it does: "Delete endpoint". */
  action: string;
  /** The other button's words; `Cancel` by default. */
  dismiss?: string;
  onConfirm: () => void;
  pending: boolean;
  /** Whether the action is not possible yet, or has nothing to change. */
  disabled?: boolean;
  error: unknown;
};

export type ConfirmDialogProps = ConfirmContentProps & { opened: boolean; title: string };

/** For what cannot be undone, and for nothing else. */
export function ConfirmDialog({ opened, title, ...content }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={content.onClose} title={title} size="sm">
      <ConfirmContent {...content} />
    </Modal>
  );
}

/** The inside of such a dialog, for one whose content is made when it opens. */
export function ConfirmContent(props: ConfirmContentProps) {
  // The error of an earlier opening may be about another thing.
  const [earlierError] = useState(props.error);
  const error = props.error === earlierError ? null : props.error;
  return (
    <Stack gap="md">
      <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {props.children}
      </Text>
      {error ? <ErrorNotice title={t('Nothing was changed')} error={error} /> : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={props.onClose} data-autofocus>
          {props.dismiss ?? t('Cancel')}
        </Button>
        <Button color="red" onClick={props.onConfirm} loading={props.pending} disabled={props.disabled ?? false}>
          {props.action}
        </Button>
      </Group>
    </Stack>
  );
}
