// A message for a webhook of Discord: one embed with a field for each value of the payload.
// URL of the endpoint: https://discord.com/api/webhooks/…

function transform(event) {
  const fields = factsOf(event.data ?? { body: event.body }).map(([name, value]) => ({ name, value, inline: true }));
  const embed = {
    title: (event.type ?? 'Event').slice(0, 256),
    timestamp: event.createdAt,
    color: 0x5865f2,
    fields,
    footer: { text: event.id },
  };
  // A payload must not notify everyone of the channel.
  return { data: { embeds: [embed], allowed_mentions: { parse: [] } } };
}

// The first 20 values of the payload by their paths, such as customer.name. All texts of an embed may have 6,000
// characters together, and none may be empty.
function factsOf(value, path = '', facts = []) {
  if (facts.length >= 20) return facts;
  const isNested = typeof value === 'object' && value !== null && path.split('.').length < 8;
  if (!isNested) facts.push([path.trim().slice(0, 80) || '–', String(value).trim().slice(0, 180) || '–']);
  else for (const key of Object.keys(value)) factsOf(value[key], path === '' ? key : `${path}.${key}`, facts);
  return facts;
}
