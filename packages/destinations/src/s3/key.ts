/**
 * Why an object cannot have the key; undefined if it can. S3 takes more keys, but its console and many tools do not.
 */
export function faultOfKey(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (Buffer.byteLength(key) > 1_024) return 'has more than 1,024 bytes';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
  if (/[\u0000-\u001f\u007f]/.test(key)) return 'has a control character';
  if (key.split('/').some((part) => part === '.' || part === '..')) return 'has a part that is . or ..';
  return undefined;
}
