import { ActionIcon, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icon.tsx';

/** Copies a text; says so for a second. `what` names it for the screen reader and the hover. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  return (
    <MantineCopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={`Copy ${what}`}
            onClick={(event) => {
              event.stopPropagation();
              event.preventDefault();
              copy();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={13} />
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  );
}
