import { html } from 'hono/html';

/** What the templates of Hono make: every value in them is escaped. */
export type Html = ReturnType<typeof html>;

/** The frame of every page. */
export const page = (shopName: string, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · ${shopName}</title>
  <link rel="stylesheet" href="/style.css">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
  <header class="top"><a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">${shopName}</a></header>
  <main>${body}</main>
  <footer><p>An example shop with simulated cards.</p></footer>
</body>
</html>`;

/** Something went wrong, or there is nothing: says what, and where to go. */
export const notice = (shopName: string, title: string, text: string): Html =>
  page(
    shopName,
    title,
    html`<section class="notice"><h1>${title}</h1><p>${text}</p>
    <p><a class="button" href="/">Back to all destinations</a></p></section>`,
  );
