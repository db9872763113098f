import { ActionIcon, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { NAV_ROWS } from './nav-rows.ts';

const KEYS: [keys: string, does: string][] = [
  ['/', 'Search'],
  ...NAV_ROWS.map(({ go, label }): [string, string] => [`g ${go}`, `Go to ${label}`]),
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['r', 'Retry the delivery that is shown'],
  ['Esc', 'Close'],
  ['?', 'This list'],
];

/** Lists the keyboard shortcuts of the dashboard. */
export function HelpDialog() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['shift+?', open]]);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label="Keyboard shortcuts"
        onClick={open}
        visibleFrom="sm"
      >
        ?
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Keyboard shortcuts" size="sm">
        <Stack gap="xs">
          {KEYS.map(([keys, does]) => (
            <Group key={keys} justify="space-between">
              <Text size="sm">{does}</Text>
              <Group gap={4}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
      </Modal>
    </>
  );
}
