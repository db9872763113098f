/** A command that sends an event, to be completed with an API key. */
export function ingestCommand(baseUrl: string): string {
  return [
    `curl -X POST "${baseUrl}/api/ingest/event/order.created" \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"id":"order_1","total":1900,"currency":"EUR"}'`,
  ].join('\n');
}
