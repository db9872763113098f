import { t } from '../../language/language.ts';
/** A body that differs slightly from the pasted one, and the explanation if that variant was signed. */
export type Variant = {
  body: string;
  said: string;
  /** True if pasting alone explains the difference: a text field has no CRLF, and often gains a final line break. */
  isPasting: boolean;
};

/** Common ways in which a body is altered between the network and the check. */
export function bodyVariants(body: string): Variant[] {
  const trimmed = body.trimEnd();
  const lines = t('The secret has signed this body; only the line breaks differ, which pasting changes.');
  const variants: Variant[] = [
    { body: trimmed, said: lines, isPasting: true },
    { body: `${trimmed}\n`, said: lines, isPasting: true },
    { body: body.replaceAll('\n', '\r\n'), said: lines, isPasting: true },
    {
      body: body.normalize('NFC'),
      said: t('The body was altered: its Unicode characters were decomposed.'),
      isPasting: false,
    },
    ...jsonForms(body).map((form) => ({ body: form, said: REFORMATTED, isPasting: false })),
  ];
  return variants.filter((variant) => variant.body !== body);
}

const REFORMATTED = t(
  'The body was altered: the same JSON in another layout was signed. Verify the bytes as they came, before anything parses them and writes them again.',
);

function jsonForms(body: string): string[] {
  try {
    const value: unknown = JSON.parse(body);
    const compact = JSON.stringify(value);
    return [compact, JSON.stringify(value, null, 2), JSON.stringify(value, null, 4), spaced(compact)];
  } catch {
    return []; // Not JSON.
  }
}

/** The layout of Python's json.dumps: a space after each comma and colon outside of strings. */
function spaced(compact: string): string {
  let isInString = false;
  let out = '';
  for (let at = 0; at < compact.length; at += 1) {
    const character = compact.charAt(at);
    out += character;
    if (isInString && character === '\\') out += compact.charAt(++at);
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === ',' || character === ':')) out += ' ';
  }
  return out;
}
