import { expect, test } from '@jest/globals';
import { html } from './html.ts';

test('a value becomes text, between tags and in quotes, and never a tag or an attribute', () => {
  const hostile = `<script>alert("1")</script>' onclick='x' &lt;`;
  const { text } = html`<p title="${hostile}">${hostile}</p>`;
  expect(text.match(/[<>]/g)).toHaveLength(4);
  expect(text.match(/["']/g)).toHaveLength(2);
  expect(text).toContain('&amp;lt;');
});

test('parts of a page are put together as they are, also many, and what is not given leaves nothing', () => {
  const items = ['a', '&'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${0}`.text).toBe('<ul><li>a</li><li>&amp;</li></ul>0');
});
