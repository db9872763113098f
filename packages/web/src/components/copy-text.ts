/**
 * Copies a text at a click on `button`. Resolves with false when the browser refuses. On plain http, and in a frame of
 * another site that has no `clipboard-write`, browsers refuse the Clipboard API; the older command works there.
 */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, button);
  }
}

/** The field is put beside the button, so that a dialog which keeps the focus within itself contains it. */
function copySelected(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  // Out of sight, but rendered: what is not rendered cannot be selected.
  Object.assign(field.style, { position: 'fixed', opacity: '0' });
  button.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied;
}
