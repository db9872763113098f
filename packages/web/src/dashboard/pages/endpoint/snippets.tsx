import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { ReceiverCode } from '../../../components/receiver-code.tsx';

/** Code that verifies the signature, in six languages. */
export function Snippets() {
  const [language, setLanguage] = useState('TypeScript');
  return (
    <Stack gap="sm" component="section" aria-label="Verify the signature">
      <Title order={2}>Verify the signature</Title>
      <ReceiverCode language={language} onChoose={setLanguage} />
    </Stack>
  );
}
