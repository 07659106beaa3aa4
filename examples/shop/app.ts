import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { adminRoutes } from './admin-routes.ts';
import { customerRoutes, simulatedPayRoutes } from './customer-routes.ts';
import { receiver } from './hook.ts';
import type { OpenShop } from './open.ts';
import { notice } from './page.ts';

const FILES = { 'style.css': 'text/css', 'icon.svg': 'image/svg+xml', 'watch.js': 'text/javascript' } as const;
const MAX_FORM_BYTES = 10_000;

export interface Made {
  readonly name: string;
  readonly adminPassword: string;
  /** Undefined: webhooks are off. */
  readonly webhookSecret: string | undefined;
}

/** The whole website. */
export async function shopApp(shop: OpenShop, { name, adminPassword, webhookSecret }: Made): Promise<Hono> {
  const app = new Hono();
  const files = await Promise.all(
    Object.entries(FILES).map(
      async ([name, type]) => [`/${name}`, type, await readFile(new URL(name, import.meta.url), 'utf8')] as const,
    ),
  );
  // The webhook comes from another server, which its signature identifies.
  if (webhookSecret) {
    const receive = receiver(shop, webhookSecret);
    app.post('/hook', (c) => receive(c.req.raw));
  }
  // An order's address is a secret, so it is sent in no referrer and stored in no cache.
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'https:', 'http:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      referrerPolicy: 'same-origin',
    }),
  );
  app.use(csrf());
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES }));
  for (const [path, type, text] of files)
    app.get(path, (c) => c.body(text, 200, { 'content-type': type, 'cache-control': 'max-age=300' }));
  app.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  app.route('/admin', adminRoutes(shop, name, adminPassword));
  app.route('/', customerRoutes(shop, name));
  app.route('/', simulatedPayRoutes(shop, name));
  app.notFound((c) => c.html(notice(name, 'Not found', 'There is nothing at this address.'), 404));
  app.onError((error, c) => {
    if ('getResponse' in error && error.getResponse instanceof Function) return error.getResponse();
    console.error(error.message);
    const text = 'We cannot reach our network right now. Please try again in a minute; nothing is lost.';
    return c.html(notice(name, 'Back in a moment', text), 503, { 'retry-after': '60' });
  });
  return app;
}
