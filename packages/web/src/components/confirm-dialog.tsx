import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

export type ConfirmDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, with the numbers: "Its 3 subscriptions end, and 12 open deliveries fail." */
  children: ReactNode;
  /** The button's words say what it does: "Delete endpoint". */
  action: string;
  onConfirm: () => void;
  pending: boolean;
  error: unknown;
};

/** For what cannot be undone, and for nothing else. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size="sm">
      <Stack gap="md">
        <Text component="div" size="sm">
          {props.children}
        </Text>
        {props.error ? <ErrorNotice title="Nothing was changed" error={props.error} /> : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" onClick={props.onConfirm} loading={props.pending}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
