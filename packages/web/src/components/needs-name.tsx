import { Anchor, Text } from '@mantine/core';

/** Explains that passkeys need a host name, with a link to the same page at `named`, where they work. */
export function NeedsName({ named }: { named: string | undefined }) {
  if (named === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Passkeys need a host name. This page has an IP address as its address.
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      Passkeys need a name instead of an IP address. They work at{' '}
      <Anchor href={named} underline="always">
        {new URL(named).origin}
      </Anchor>
      , where you log in again.
    </Text>
  );
}
