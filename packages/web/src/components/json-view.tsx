import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { prettyJson } from './pretty-json.ts';

/** A body as text: indented when it is JSON, and as it was sent. It is never rendered as anything but text. */
export function JsonView({ body, what }: { body: string; what: string }) {
  const pretty = prettyJson(body);
  const [form, setForm] = useState('formatted');
  if (pretty === undefined) return <CodeBlock text={body} what={what} />;
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        w="fit-content"
        value={form}
        onChange={setForm}
        data={[
          { value: 'formatted', label: 'Formatted' },
          { value: 'sent', label: 'As sent' },
        ]}
      />
      <CodeBlock text={form === 'sent' ? body : pretty} what={what} />
    </Stack>
  );
}
