/** The URL stays valid for this long, because Safari reads the content some time after the click. */
const READ_WITHIN_MS = 60_000;

/** The beginning of a CSV file. Only with it does Excel read the file as UTF-8, so that umlauts in names are kept. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Lets the browser save a file of this type. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
