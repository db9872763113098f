import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';
import { ErrorNotice } from './error-notice.tsx';

type ConfirmContentProps = {
  onClose: () => void;
  /** The consequences, with numbers: "Its 3 subscriptions end, and 12 open deliveries fail." */
  children: ReactNode;
  /** The button's label, which names the action: "Delete endpoint". */
  action: string;
  /** The label of the other button; `Cancel` by default. */
  dismiss?: string;
  onConfirm: () => void;
  pending: boolean;
  /** True if the action is not possible yet, or would change nothing. */
  disabled?: boolean;
  error: unknown;
};

export type ConfirmDialogProps = ConfirmContentProps & { opened: boolean; title: string };

/** Asks before an action. Use it only for actions that cannot be undone. */
export function ConfirmDialog({ opened, title, ...content }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={content.onClose} title={title} size="sm">
      <ConfirmContent {...content} />
    </Modal>
  );
}

/** The content of such a dialog, for a dialog whose content is only known when it opens. */
export function ConfirmContent(props: ConfirmContentProps) {
  // An error of an earlier opening may be about something else, so it is not shown.
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
