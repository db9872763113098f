// A terminal that went away must not end what runs: the words are lost, the services go on.
process.stderr.on('error', () => {});

/** Writes one line of words for the person at the terminal, on stderr; stdout is left to data. */
export function say(part: string, words: string): void {
  process.stderr.write(`${dim(part.padEnd(12))} ${words}\n`);
}

/** Writes text as it stands, such as a box or the tail of a log. */
export function sayBlock(text: string): void {
  process.stderr.write(`${text}\n`);
}

export const dim = (text: string): string => paint(text, '2');
export const bold = (text: string): string => paint(text, '1');
export const red = (text: string): string => paint(text, '31');
export const green = (text: string): string => paint(text, '32');

function paint(text: string, code: string): string {
  const colourful = process.stderr.isTTY && !process.env.NO_COLOR;
  return colourful ? `\u001b[${code}m${text}\u001b[0m` : text;
}
