import { EmptyState, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';

/** An empty list that teaches: one sentence, one button, and the same action as a command to paste. */
export function FirstUse(props: { title: string; sentence: string; action?: ReactNode; curl: string }) {
  return (
    <Stack gap="md" maw={720} mx="auto">
      <EmptyState size="sm" title={props.title} description={props.sentence}>
        {props.action === undefined ? null : <EmptyState.Actions>{props.action}</EmptyState.Actions>}
      </EmptyState>
      <CodeBlock text={props.curl} what="the command" />
    </Stack>
  );
}
