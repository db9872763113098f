const seen = new Set<string>();

/**
 * Keeps a webhook for later work, once for each id. In production this is one statement in your database, and a worker
 * reads the table: INSERT INTO inbox (id, content_type, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
 */
export async function keepOnce(id: string, contentType: string, body: Uint8Array): Promise<void> {
  if (seen.has(id)) return;
  // The decoder removes a byte order mark, which JSON.parse would refuse.
  const data = isJson(contentType) && body.length > 0 ? JSON.parse(new TextDecoder().decode(body)) : body;
  process.stdout.write(`received ${id} ${contentType} ${body.length} ${data === body ? 'bytes' : 'json'}\n`);
  // Only now: if the work fails, Posthorn sends the webhook again.
  seen.add(id);
}

/** `application/json`, or a type that ends in `+json`. Others that contain the word, such as x-ndjson, are not JSON. */
function isJson(contentType: string): boolean {
  const [type = ''] = contentType.toLowerCase().split(';');
  return type.trim() === 'application/json' || type.trim().endsWith('+json');
}
