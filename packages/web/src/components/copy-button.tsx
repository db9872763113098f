import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../language/language.ts';
import classes from './copy-button.module.css';
import { Icon } from './icon.tsx';

const SAYS = {
  ready: 'Copy {what}',
  copied: 'Copied {what}',
  refused: 'The browser refused to copy {what}',
} as const;

/** Copies a text, and confirms it for a second. `what` names the text for the screen reader and the hover. */
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

/**
 * Copies a text after a click on `button`. Resolves with false when the browser refuses. On plain http, and in a frame
 * of another site without `clipboard-write`, browsers refuse the Clipboard API; the older `execCommand` works there.
 */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, button);
  }
}

/** Copies by a selected field. It is beside the button, so that a dialog that traps the focus contains it. */
function copySelected(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  // Out of sight, but rendered: only rendered text can be selected.
  Object.assign(field.style, { position: 'fixed', opacity: '0' });
  button.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied;
}
