import { expect, test } from '@jest/globals';
import { setupBlocksOf } from './setup-blocks.ts';

test('a setup text has paragraphs with bold and code, and blocks to copy', () => {
  const text = '1. Create `events`.\n2. **Allow** it:\n\n```sh\nrabbitmqctl add_user a\n\nend\n```\n\nThen go on.';
  expect(setupBlocksOf(text)).toEqual([
    {
      kind: 'text',
      parts: [
        { style: 'plain', text: '1. Create ' },
        { style: 'code', text: 'events' },
        { style: 'plain', text: '.\n2. ' },
        { style: 'bold', text: 'Allow' },
        { style: 'plain', text: ' it:' },
      ],
    },
    { kind: 'code', text: 'rabbitmqctl add_user a\n\nend' },
    { kind: 'text', parts: [{ style: 'plain', text: 'Then go on.' }] },
  ]);
});
