import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../language/language.ts';
import classes from './copy-button.module.css';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

const SAYS = {
  ready: 'Copy {what}',
  copied: 'Copied {what}',
  refused: 'The browser refused to copy {what}',
} as const;

/** Copies a text; says so for a second. `what` names it for the screen reader and the hover. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [state, setState] = useState<keyof typeof SAYS>('ready');
  const { start } = useTimeout(() => setState('ready'), 1_500);
  const label = t(SAYS[state], { what });
  return (
    <button
      type="button"
      className={classes.copy}
      title={label}
      aria-label={label}
      onClick={async (event) => {
        event.stopPropagation();
        event.preventDefault();
        setState((await copyText(value, event.currentTarget)) ? 'copied' : 'refused');
        start();
      }}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} size={13} />
    </button>
  );
}
