import { Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

/** deploy/release/public-names.mjs says it, and vite.config.mjs puts it here. */
declare const INSTALL_OF_COMMAND_LINE: { intro?: string; lines: string[] };

/** How the command line is installed: by its name once that is published, and from a checkout before. */
export function InstallCommandLine() {
  const { intro, lines } = INSTALL_OF_COMMAND_LINE;
  return (
    <Stack gap="xs" component="section" aria-label="Install the command line">
      <Text size="sm">Its program is the command line. {intro?.replaceAll('`', '') ?? 'Install it:'}</Text>
      <CodeBlock text={lines.join('\n')} what="how to install the command line" />
    </Stack>
  );
}
