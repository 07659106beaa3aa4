import { renderSVG } from 'uqr';
import type { Turns } from '../bounded.ts';
import { notFound, oneAtATime, type PanelRoute, page } from './routes.ts';

/**
 * The QR code of an eSIM, at the signed address given in its order. No key is needed, so the database is only read on `turn`,
 * and only for an address we signed.
 */
export function qrRoutes(activationCode: (token: string, turn: Turns) => Promise<string | undefined>): PanelRoute[] {
  const turn = oneAtATime();
  return [
    {
      verb: 'GET',
      path: '/qr/{file}',
      async handle({ params }) {
        const token = /^(.*)\.svg$/.exec(params.file ?? '')?.[1];
        const code = token === undefined ? undefined : await activationCode(token, turn);
        if (code === undefined) return notFound;
        return page(200, 'image/svg+xml', renderSVG(code, { border: 2 }));
      },
    },
  ];
}
