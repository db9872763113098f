/** The events of a `text/event-stream`, with the text of their data. `onBytes` is called before each read. */
export async function* readEvents(
  response: Response,
  onBytes: () => void,
): AsyncGenerator<{ event: string; text: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (;;) {
      onBytes();
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = readEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a block without data, such as a comment. */
function readEvent(block: string): { event: string; text: string } | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trimStart();
    if (line.slice(0, colon) === 'event') event = value;
    if (line.slice(0, colon) === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, text: data.join('\n') };
}
