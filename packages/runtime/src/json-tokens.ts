type Token = { token: string; start: number; end: number };

/** The strings and the numbers of a well-formed JSON text. Other texts give arbitrary tokens, but it always ends. */
export function* tokensOf(json: string): Generator<Token> {
  for (let start = 0; start < json.length; start += 1) {
    let end = start + 1;
    if (json[start] === '"') {
      while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
      end += 1;
    } else if (isOfNumber(json[start]) && json[start] !== 'e') {
      while (isOfNumber(json[end])) end += 1;
    } else continue;
    yield { token: json.slice(start, end), start, end };
    start = end - 1;
  }
}

function isOfNumber(letter: string | undefined): boolean {
  return letter !== undefined && '0123456789+-.eE'.includes(letter);
}

/** The JSON with the chosen numbers as strings: the mark, followed by the number as it was written. */
export function markNumbers(json: string, mark: string, isChosen: (number: string) => boolean): string {
  let [marked, from] = ['', 0];
  for (const { token, start, end } of tokensOf(json)) {
    if (token.startsWith('"') || !isChosen(token)) continue;
    marked += `${json.slice(from, start)}"${mark}${token}"`;
    from = end;
  }
  return marked + json.slice(from);
}

/** A double keeps at least 15 decimal digits. */
const MOST_EXACT_CHARACTERS = 15;

/** True if a number has more digits than a double keeps, so that JSON.parse rounds it. */
export function isRounded(number: string): boolean {
  if (number.length <= MOST_EXACT_CHARACTERS && !/e/i.test(number)) return false;
  const written = String(Number(number));
  return written !== number && decimal(written) !== decimal(number);
}

/** A number in a canonical form, such as `12e-1` for `1.20`. */
function decimal(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.split('');
  while (digits[0] === '0') digits.shift();
  const length = digits.length;
  while (digits.at(-1) === '0') digits.pop();
  return digits.length === 0
    ? '0'
    : `${digits.join('')}e${Number(exponent) - fraction.length + length - digits.length}`;
}
