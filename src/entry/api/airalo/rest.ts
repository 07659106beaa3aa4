import { centsToNumber } from '../../../platform/amounts/cents.ts';
import { timestamp } from '../../../platform/clock.ts';
import { devices } from '../endpoints/catalog/device-list.ts';
import { ok } from './answers.ts';
import { airalo } from './endpoint.ts';

/** What can be spent: on invoice terms, the free credit. */
const balance = airalo({
  verb: 'GET',
  path: '/balance',
  tier: 'read',
  async handle({ world, partnerId }) {
    const amount = centsToNumber((await world.books.spendingPower(partnerId)).available);
    return ok({ balances: { name: 'balance', availableBalance: { amount, currency: 'USD' } } });
  },
});

const compatibleDevices = airalo({
  verb: 'GET',
  path: '/compatible-devices-lite',
  tier: 'catalog',
  handle: async () => ok(devices.map(({ os, brand, model }) => ({ os: os.toLowerCase(), brand, name: model }))),
});

/** All our prices are in USD. */
const exchangeRates = airalo({
  verb: 'GET',
  path: '/finance/exchange-rates',
  tier: 'read',
  fields: ['date', 'source', 'from', 'to'],
  handle: async ({ now }, { date }) =>
    ok({ date: date ?? timestamp(now).slice(0, 10), rates: [{ from: 'USD', mid: '1', to: 'USD' }] }),
});

export const restEndpoints = [balance, compatibleDevices, exchangeRates];
