// The shape of an older system: one flat object with snake_case keys, such as customer_name for customer.name and
// lines_0_sku for the first line's sku. Change the names here, and receivers need no change.

function transform(event) {
  const flat = { event: event.type, event_id: event.id, created_at: event.createdAt };
  // An envelope of Standard Webhooks has the payload in its data.
  const isEnvelope = typeof event.data?.data === 'object' && 'timestamp' in event.data;
  add(flat, '', isEnvelope ? event.data.data : event.data);
  return { data: flat };
}

function add(flat, name, value) {
  if (typeof value !== 'object' || value === null || name.split('_').length > 16) {
    if (name !== '') flat[name] = value;
    return;
  }
  for (const key of Object.keys(value)) add(flat, name === '' ? snake(key) : `${name}_${snake(key)}`, value[key]);
}

function snake(key) {
  let name = '';
  for (const letter of key) {
    const isUpper = letter !== letter.toLowerCase();
    name += isUpper && name !== '' ? `_${letter.toLowerCase()}` : letter.toLowerCase();
  }
  return name;
}
