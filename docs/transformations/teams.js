// A card for Microsoft Teams, for the workflow "Post to a channel when a webhook request is received".
// URL of the endpoint: the one that the workflow shows.

function transform(event) {
  const facts = factsOf(event.data ?? { body: event.body }).map(([title, value]) => ({ title, value }));
  const heading = { type: 'TextBlock', text: event.type ?? 'Event', size: 'Medium', weight: 'Bolder', wrap: true };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: facts.length === 0 ? [heading] : [heading, { type: 'FactSet', facts }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { data: { type: 'message', attachments: [{ contentType, contentUrl: null, content }] } };
}

// The first 20 values of the payload by their paths, such as customer.name. A message may have 28 KB.
function factsOf(value, path = '', facts = []) {
  if (facts.length >= 20) return facts;
  const isNested = typeof value === 'object' && value !== null && path.split('.').length < 8;
  if (!isNested) facts.push([path.slice(0, 80), String(value).slice(0, 200)]);
  else for (const key of Object.keys(value)) factsOf(value[key], path === '' ? key : `${path}.${key}`, facts);
  return facts;
}
