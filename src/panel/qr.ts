import { renderSVG } from 'uqr';
import { notFound, type PanelRoute, page } from './routes.ts';

/** The QR code of an eSIM, at the signed address given in its order. */
export function qrRoutes(activationCode: (token: string) => Promise<string | undefined>): PanelRoute[] {
  return [
    {
      verb: 'GET',
      path: '/qr/{file}',
      async handle({ params }) {
        const token = /^(.*)\.svg$/.exec(params.file ?? '')?.[1];
        const code = token === undefined ? undefined : await activationCode(token);
        if (code === undefined) return notFound;
        return page(200, 'image/svg+xml', renderSVG(code, { border: 2 }));
      },
    },
  ];
}
