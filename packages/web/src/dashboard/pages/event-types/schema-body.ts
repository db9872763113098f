/**
 * The request body that changes the schema and the example. Both are sent as typed: numbers and repeated keys stay, so
 * the service can refuse those that it cannot keep. An empty text clears one. Undefined while one of the texts is not
 * JSON.
 */
export function schemaBody(schema: string, example: string): string | undefined {
  const [typedSchema, typedExample] = [jsonOf(schema), jsonOf(example)];
  if (typedSchema === undefined || typedExample === undefined) return undefined;
  return `{"schema":${typedSchema},"example":${typedExample}}`;
}

function jsonOf(text: string): string | undefined {
  if (text.trim() === '') return 'null';
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined; // Not JSON, or not yet complete.
  }
}
