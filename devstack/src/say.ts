// A closed terminal must not end the services: only the output is lost.
process.stderr.on('error', () => {});

/** Writes one line for the user to stderr; stdout is for data. */
export function say(part: string, words: string): void {
  process.stderr.write(`${dim(part.padEnd(12))} ${words}\n`);
}

/** Writes text unchanged, such as a box or the end of a log. */
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
