import { createHash } from 'node:crypto';

// SQS answers with the MD5 of what it stored, which shows whether the message was changed on the way.

export function md5OfText(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex');
}

/**
 * The MD5 of string attributes as SQS computes it: sorted by name, each part after its length, and a 1 for the type of
 * the value. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
 */
export function md5OfAttributes(attributes: Readonly<Record<string, string>>): string {
  const hash = createHash('md5');
  const add = (text: string) => {
    const bytes = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of Object.keys(attributes).sort()) {
    add(name);
    add('String');
    hash.update(STRING);
    add(attributes[name] ?? '');
  }
  return hash.digest('hex');
}

const STRING = Buffer.from([1]);
