import { useClipboard } from '@mantine/hooks';
import classes from './copy-button.module.css';
import { Icon } from './icon.tsx';

/** Copies a text; says so for a second. `what` names it for the screen reader and the hover. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  return (
    <button
      type="button"
      className={classes.copy}
      title={copied ? 'Copied' : `Copy ${what}`}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        copy(value);
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} size={13} />
    </button>
  );
}
