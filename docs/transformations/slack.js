// A message for an incoming webhook of Slack: a heading, and a field for each value of the payload.
// URL of the endpoint: https://hooks.slack.com/services/…

function transform(event) {
  const title = event.type ?? 'Event';
  const fields = factsOf(event.data ?? { body: event.body }).map(([name, value]) => ({
    type: 'mrkdwn',
    text: `*${escaped(name)}*\n${escaped(value)}`,
  }));
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: title.slice(0, 150) } }];
  if (fields.length > 0) blocks.push({ type: 'section', fields });
  // Notifications show the text. The conversation shows the blocks.
  return { data: { text: escaped(title), blocks } };
}

// Slack reads these three characters as markup.
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

// The first 10 values of the payload by their paths, such as customer.name: a section has no more fields.
function factsOf(value, path = '', facts = []) {
  if (facts.length >= 10) return facts;
  const isNested = typeof value === 'object' && value !== null && path.split('.').length < 8;
  if (!isNested) facts.push([path.slice(0, 100), String(value).slice(0, 300)]);
  else for (const key of Object.keys(value)) factsOf(value[key], path === '' ? key : `${path}.${key}`, facts);
  return facts;
}
