/** While a dialog or a menu is open, a key is not meant for the page behind it, wherever the focus is. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
