import { renderSVG } from 'uqr';
import { type PanelRoute, page } from './routes.ts';

/** The QR image of an eSIM, at the signed address its order names. */
export function qrRoutes(activationCode: (token: string) => Promise<string | undefined>): PanelRoute[] {
  return [
    {
      verb: 'GET',
      path: '/qr/{file}',
      async handle({ params }) {
        const token = /^(.*)\.svg$/.exec(params.file ?? '')?.[1];
        const code = token === undefined ? undefined : await activationCode(token);
        if (code === undefined) return page(404, 'text/plain; charset=utf-8', 'Not found\n');
        // A credential: nobody on the way keeps a copy.
        return page(200, 'image/svg+xml', renderSVG(code, { border: 2 }), { 'cache-control': 'private, no-store' });
      },
    },
  ];
}
