/** A part of the setup instructions: a paragraph, or code to copy. */
export type SetupBlock = { kind: 'text'; parts: SetupPart[] } | { kind: 'code'; text: string };
export type SetupPart = { style: 'plain' | 'bold' | 'code'; text: string };

const FENCE = '```';

/** Parses the setup instructions. The service writes them in a subset of Markdown: paragraphs, lists, bold and code. */
export function setupBlocksOf(markdown: string): SetupBlock[] {
  // Every second part is a fenced code block.
  return markdown.split(FENCE).flatMap((part, index): SetupBlock[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: part.slice(part.indexOf('\n') + 1).trimEnd() }];
    return part
      .split('\n\n')
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => ({ kind: 'text', parts: partsOf(paragraph.trim()) }));
  });
}

function partsOf(paragraph: string): SetupPart[] {
  return paragraph.split('`').flatMap((part, index): SetupPart[] => {
    if (index % 2 === 1) return [{ style: 'code', text: part }];
    return part
      .split('**')
      .map((text, place): SetupPart => ({ style: place % 2 === 1 ? 'bold' : 'plain', text }))
      .filter(({ text }) => text !== '');
  });
}
