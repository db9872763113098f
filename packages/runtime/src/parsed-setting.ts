import { z } from 'zod';

/** A setting with its own parser. The parser's error message becomes the fault, so it must not repeat a secret. */
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' });
      return z.NEVER;
    }
  });

/** A setting whose text the check accepts. Its value is the unchanged text. */
export const checkedBy = (check: (text: string) => unknown) =>
  parsedBy((text) => {
    check(text);
    return text;
  });
