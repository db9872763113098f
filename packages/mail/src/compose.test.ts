import { expect, test } from '@jest/globals';
import { composeMail, quoted } from './compose.ts';

const hostile = `<img src=x onerror="alert('1')">\r\nBcc: everybody@example.com`;

test('a value is shown as it is, and adds neither markup nor a header', () => {
  const { subject, text, html } = composeMail({
    subject: `Alert: ${hostile}`,
    workspaceName: hostile,
    paragraphs: [hostile],
    items: [hostile],
    action: { label: hostile, url: 'https://example.com/?a=1&b="2"' },
    footer: hostile,
  });
  expect(subject).toBe(`Alert: <img src=x onerror="alert('1')"> Bcc: everybody@example.com`);
  expect(html).not.toMatch(/<img|onerror="/);
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;');
  expect(html).toContain('href="https://example.com/?a=1&amp;b=&quot;2&quot;"');
  expect(text).toContain(hostile);
});

test('text and HTML have the same words, and the HTML loads nothing', () => {
  const { text, html } = composeMail({
    subject: 'Subject',
    workspaceName: 'Acme',
    paragraphs: ['One.', 'Two.'],
    items: ['first', 'second'],
    action: { label: 'Open', url: 'https://posthorn.example.com/x#token=1' },
    footer: 'Because.',
  });
  for (const words of [
    'Acme',
    'One.',
    'Two.',
    'first',
    'second',
    'Open',
    'https://posthorn.example.com/x#token=1',
    'Because.',
  ]) {
    expect(text).toContain(words);
    expect(html).toContain(words);
  }
  expect(html).toContain('<html lang="en">');
  expect(html).not.toMatch(/<(img|script|link|iframe|style)|src=|url\(/);
});

test('a subject has at most 200 characters', () => {
  const { subject } = composeMail({ subject: '🎉'.repeat(300), paragraphs: [], footer: '' });
  expect([...subject]).toHaveLength(200);
});

test('only the action is a link: mail programs find no URL and no domain in other words', () => {
  const lure = 'Your invoice: https://evil.example.com/pay, www.evil.example.com or evil.example.com/pay';
  const { subject, text, html } = composeMail({
    subject: lure,
    workspaceName: lure,
    paragraphs: [lure],
    items: [lure],
    action: { label: 'Open', url: 'https://posthorn.example.com/x' },
    footer: `Asked by ann@example.com. ${lure}`,
  });
  const links = [subject, text, html].flatMap((form) => form.match(/(https?:\/\/|www\.)[\w.]+|\bevil\.example/g) ?? []);
  expect(new Set(links)).toEqual(new Set(['https://posthorn.example.com']));
  expect(text).toContain('ann@example.com');
  expect(text.replaceAll('\u200b', '')).toContain(lure);
});

test.each([
  'me@acme,www.evil.example',
  'x@y?evil.example',
  'x@y;evil.example',
  'x@y(evil.example',
  'x@y=>evil.example',
])('what stands behind an address is no link: %s', (lure) => {
  const { text } = composeMail({
    subject: lure,
    workspaceName: lure,
    paragraphs: [lure],
    action: { label: 'Open', url: 'https://posthorn.example.com/x' },
    footer: lure,
  });
  expect(text).not.toContain('evil.example');
});

test('a name that somebody else chose is quoted and cut, and cannot end its quotation', () => {
  expect(quoted('Acme')).toBe('“Acme”');
  expect(quoted('Acme” is closed.\nSign in at “Evil\u202e')).toBe("“Acme' is closed. Sign in at 'Evil”");
  expect([...quoted('🎉'.repeat(100))]).toHaveLength(62);
});
