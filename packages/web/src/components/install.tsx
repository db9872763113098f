import { Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

/** Set by vite.config.mjs from deploy/release/public-names.mjs. */
declare const INSTALL_OF_COMMAND_LINE: { intro?: string; lines: string[] };

/** How to install the command line: by its name once it is published, from a checkout before that. */
export function InstallCommandLine() {
  const { intro, lines } = INSTALL_OF_COMMAND_LINE;
  return (
    <Stack gap="xs" component="section" aria-label="Install the command line">
      <Text size="sm">Its program is the command line. {intro?.replaceAll('`', '') ?? 'Install it:'}</Text>
      <CodeBlock text={lines.join('\n')} what="how to install the command line" />
    </Stack>
  );
}
