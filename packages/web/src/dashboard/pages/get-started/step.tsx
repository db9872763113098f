import { Button, Group, Paper, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';

export type StepProps = {
  number: number;
  title: string;
  /** The step's result, shown when the step is folded; undefined until the step is done. */
  result: ReactNode | undefined;
  sentence: ReactNode;
  /** The label of the button; undefined hides the button. */
  action: string | undefined;
  run: { mutate: () => void; isPending: boolean; error: unknown };
  /** True if the steps before this one are done. */
  isReady: boolean;
  command: string;
  children?: ReactNode;
};

/** A step: a button, and the same action as a command. A finished step folds into a tick and its result. */
export function Step(props: StepProps) {
  const [isOpened, { toggle }] = useDisclosure(false);
  const isDone = props.result !== undefined;
  const isUnfolded = isOpened || !isDone;
  return (
    <Paper component="li" withBorder p="md" bg="var(--surface-raised)" aria-label={`Step ${props.number}`}>
      <Group component="div" gap="sm" wrap="nowrap">
        <Mark number={props.number} isDone={isDone} isReady={props.isReady} />
        <Title order={2} fz="md" fw={500} c={props.isReady ? undefined : 'dimmed'}>
          {props.title}
        </Title>
        {isDone ? (
          <>
            <Text component="div" size="sm" c="dimmed" truncate="end" miw={0} visibleFrom="sm">
              {props.result}
            </Text>
            <UnstyledButton ml="auto" fz="xs" c="dimmed" onClick={toggle} aria-expanded={isOpened}>
              {isOpened ? 'Hide' : 'Show'}
            </UnstyledButton>
          </>
        ) : null}
      </Group>
      {isUnfolded && props.isReady ? <StepBody {...props} /> : null}
    </Paper>
  );
}

function StepBody({ sentence, children, action, run, command }: StepProps) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" mt="sm">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{sentence}</Text>
        {children}
        {run.error ? <ErrorNotice title="Nothing was changed" error={run.error} /> : null}
        {action === undefined ? null : (
          <Button size="sm" onClick={() => run.mutate()} loading={run.isPending}>
            {action}
          </Button>
        )}
      </Stack>
      <CodeBlock text={command} what="the command" maxHeight={220} />
    </SimpleGrid>
  );
}

function Mark({ number, isDone, isReady }: { number: number; isDone: boolean; isReady: boolean }) {
  const ink = isDone ? 'delivered' : isReady ? 'delivering' : 'pending';
  return (
    <Group
      justify="center"
      w={22}
      h={22}
      flex="none"
      fz="xs"
      style={{ borderRadius: '50%', background: `var(--${ink}-tint)`, color: `var(--${ink}-ink)` }}
    >
      {isDone ? <Icon name="check" size={13} /> : number}
    </Group>
  );
}
