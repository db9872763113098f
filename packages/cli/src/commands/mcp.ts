import type { Row } from '../command.ts';

export const mcp: readonly Row[] = [
  {
    usage: 'mcp',
    summary: 'Give an agent tools: the Model Context Protocol on standard input and output',
    options: { '--allow-changes': 'also offer the tools that change something, where the credential may use them' },
    examples: ['posthorn mcp', 'posthorn mcp --allow-changes'],
    async run({ place, terminal, signal }, { values }) {
      const { addressOf, forward } = await import('../mcp/forward.ts');
      await forward(addressOf(place, values.allowChanges === true), { terminal, signal });
    },
  },
];
