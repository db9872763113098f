/** A command that sends an event to a customer. The reader must add an API key, and the customer unless it is given. */
export function ingestCommand(baseUrl: string, application = '$CUSTOMER_ID'): string {
  return [
    `curl -X POST "${baseUrl}/api/ingest/event/order.created" \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    `  -H "X-Application-Id: ${application}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"id":"order_1","total":1900,"currency":"EUR"}'`,
  ].join('\n');
}
