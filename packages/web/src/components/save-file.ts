/** Safari reads the content some time after the click. */
const READ_WITHIN_MS = 60_000;

/** Begins a file of CSV: Excel reads it as UTF-8 only then, and names with umlauts stay as they are. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Lets the browser save a file of that type. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
