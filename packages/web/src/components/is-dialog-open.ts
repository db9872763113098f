/** True if a dialog or a menu is open. Then keys are not meant for the page behind it, wherever the focus is. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
