import { PasswordInput } from '@mantine/core';
import { useState } from 'react';

type Props = { label: string; prefix: 'phk_' | 'phm_'; onSecret: (secret: string) => void };

/** For a key or a token that one has already. */
export function PasteSecret({ label, prefix, onSecret }: Props) {
  const [typed, setTyped] = useState('');
  const change = (secret: string) => {
    setTyped(secret);
    if (secret.startsWith(prefix) && secret.length > MAX_PREVIEW) onSecret(secret);
  };
  return (
    <PasswordInput
      label={label}
      placeholder={`${prefix}…`}
      size="xs"
      w="100%"
      autoComplete="off"
      value={typed}
      onChange={({ currentTarget }) => change(currentTarget.value.trim())}
    />
  );
}

/** A preview of one, such as the lists show, is shorter. */
const MAX_PREVIEW = 20;

export const shortSecret = (secret: string): string => `${secret.slice(0, 8)}…${secret.slice(-4)}`;
