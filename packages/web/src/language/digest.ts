/**
 * A short digest of a text: FNV-1a with 32 bits. A built catalogue has it in place of the English text, which is
 * already in the code (vite.config.mjs).
 */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
