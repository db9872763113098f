import { PasswordInput } from '@mantine/core';
import { useState } from 'react';

type Props = { label: string; prefix: 'phk_' | 'phm_'; onSecret: (secret: string) => void };

/** A field for a key or a token that the reader already has. */
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

/** The preview of a secret, as lists show it, is at most this long. */
const MAX_PREVIEW = 20;

export const shortSecret = (secret: string): string => `${secret.slice(0, 8)}…${secret.slice(-4)}`;
